#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headrace/facts.hpp"
#include "headrace/method.hpp"
#include "headrace/plan.hpp"

namespace headrace {

/// Consecutive progress by one method. Built from what the engine returned, never from the plan.
struct Leg {
  const Method* method = nullptr;
  Bytes bytes = 0;          ///< reached the destination
  std::uint64_t calls = 0;  ///< system calls made to move them
  std::uint64_t waits = 0;  ///< times it was paused for a peer or a timer
  double seconds = 0;
  Ending ending = Ending::finished;  ///< `paused` when the transfer was stopped in the middle
  std::optional<Error> error;
  std::optional<unsigned> copies_per_byte;  ///< see `Engine::copies_per_byte`
  std::vector<std::string> notes;
  bool excepted = false;  ///< no part of what the transfer is about: see `Piece::excepted`
};

/// By what the contract of a report was kept.
enum class Evidence {
  times,   ///< guarded: identity, size, mtime and ctime before the first byte and again at the end
  lease,   ///< guarded: besides the times, a read lease was held from before the first byte on
  read,    ///< stable: the bytes were copied when they were read
  clone,   ///< stable: sent from a clone of ours that has no name
  sealed,  ///< stable: the source is a memfd sealed against writing and shrinking
};
std::string_view name_of(Evidence evidence);

/// What happened to a source between the first byte and the last.
struct Change {
  enum class Kind {
    grew,         ///< `bytes`: by how much
    shrank,       ///< `bytes`: to which size
    overwritten,  ///< mtime moved
    replaced,     ///< its path leads to another file now, or to none
    touched,      ///< only ctime moved: mode, owner, links, or times set back after a write
  };
  Kind kind = Kind::overwritten;
  Bytes bytes = 0;
};
std::string_view name_of(Change::Kind kind);
/// "grew by 17 bytes", "shrank to 5 bytes", "was overwritten"...
std::string describe(const Change& change);

/// What a transfer's end means for the caller; the tool's exit status follows from it.
enum class Outcome {
  complete,
  failed,          ///< the last leg (or `error`) tells the failure
  refused,         ///< no method that the wishes allow could go on: status 3
  source_changed,  ///< fewer bytes than the source promised, or `change`: status 4
  interrupted,     ///< stopped by the caller
  mismatched,      ///< what arrived is not what was sent: status 6
  answered_early,  ///< the peer said something before it had all (Replies::end_it)
};
std::string_view name_of(Outcome outcome);

/// What the congestion control was and whether headrace changed it.
struct Congestion {
  std::string in_force;  ///< empty: no TCP end
  std::string before;    ///< empty: unchanged
};

/// What `--checked` found out: both sides hash the bytes, and the receiver answers.
struct Check {
  std::string algorithm;  ///< "xxh3-128"
  std::string digest;     ///< of the bytes as this side has them, in hexadecimal; empty: not known
  std::string peer_digest;  ///< as the other side has them; empty: it did not say
  Bytes bytes = 0;          ///< hashed by this side
  double seconds = 0;       ///< spent on that, reading them again included
  bool reread = false;      ///< read a second time, beside the transfer; else hashed as they passed
  std::string answer;       ///< the receiver's: "ok", "mismatch" or "failed"; empty: there was none
  std::string name;         ///< what the sender calls it: only to be shown, never a path
};

/// What HTTP said around a body: the request, and its final answer.
struct Exchange {
  std::string method;  ///< of the request that was answered last
  std::string url;
  int status = 0;  ///< 0: there was no answer
  std::string reason;
  std::string version;            ///< of the answer: "1.1"
  unsigned attempts = 1;          ///< requests sent for it, those that were sent again included
  bool reused = false;            ///< the connection had served another one before
  std::string answer;             ///< of an error: how its body begins, as printable text
  std::string validator;          ///< by which a later request can tell whether it is the same
  std::vector<std::string> hops;  ///< redirects followed, in order
};

/// Both ends read again after the last byte, and compared.
struct Verification {
  std::string algorithm;           ///< "xxh3-128"
  std::string source_digest;       ///< hexadecimal
  std::string destination_digest;  ///< differs where the outcome is `mismatched`
  Bytes bytes = 0;                 ///< read at each end, holes included
  /// Of those, what the kernel counted as read from a device; the rest was in memory, where a fault
  /// of the disk does not show. Absent: it does not count here.
  std::optional<Bytes> source_from_disk;
  std::optional<Bytes> destination_from_disk;
};

/// What happened. A value: it borrows nothing but the methods' constants.
struct Report {
  std::string command;  ///< "copy", "send"...; empty for library use
  Facts source;
  Facts destination;
  Contract contract = Contract::live;
  std::optional<Evidence> evidence;  ///< absent under `live`
  std::optional<Change> change;      ///< of the source, where one was seen
  bool peer_memory = false;  ///< sent by reference to a peer on this machine: unread bytes are
                             ///< still pages of the file
  Wishes wishes;
  Bytes bytes = 0;                ///< moved: reached the destination
  Bytes head_bytes = 0;           ///< of `Options::head`, sent before them and not among them
  Bytes stranded = 0;             ///< left the source, did not arrive
  std::optional<Bytes> expected;  ///< where the length was known: bytes moved and holes
  Bytes holes = 0;  ///< of the source that became holes of the destination: no byte was moved
  std::optional<Bytes> shared;  ///< bytes of the destination in extents that the file system says
                                ///< are shared (FIEMAP); absent: not asked, or it does not say
  std::optional<Bytes> acknowledged;  ///< by the peer, where that can be known
  double seconds = 0;
  double cpu_user = 0;  ///< CPU seconds of the transfer's threads
  double cpu_system = 0;
  Congestion congestion;
  std::vector<Leg> legs;
  std::vector<Refusal> refused;
  std::vector<std::string> notes;
  Outcome outcome = Outcome::complete;
  std::optional<Error> error;  ///< a failure outside any leg (fallocate, shutdown, fsync...)
  std::optional<Check> check;  ///< under `--checked`
  std::optional<Verification> verification;  ///< under `--verify`
  std::optional<Exchange> exchange;          ///< where HTTP carried the body
};

/// The lowest class among the legs that moved bytes, excepted ones left out; absent when none did.
std::optional<PathClass> class_of(const Report& report);

}  // namespace headrace
