#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/bytes.hpp"
#include "headrace/endpoint.hpp"
#include "headrace/facts.hpp"
#include "headrace/reason.hpp"
#include "headrace/result.hpp"
#include "headrace/tap.hpp"

namespace headrace {

/// How far the bytes stayed from user space; better ones compare greater.
enum class PathClass {
  user,    ///< copied through our memory
  kernel,  ///< no byte entered user space
  shared,  ///< extents cloned: no byte was copied at all
};
std::string_view name_of(PathClass path_class);

/// What a peer may see when the source is written to meanwhile.
enum class Contract {
  live,     ///< later writes may be seen by the peer
  guarded,  ///< a changed source is noticed, and the message stays visibly incomplete
  stable,   ///< the bytes are those read at the time of the call
};
std::string_view name_of(Contract contract);

/// What the caller demands. Everything is optional; empty means "the best, and say what it was".
struct Wishes {
  std::vector<std::string> methods;  ///< only these, in this order
  std::optional<PathClass> require;  ///< nothing below it
  std::optional<Contract> contract;  ///< asked for by option; absent: the command's default
  std::optional<Bytes> buffer;       ///< user-space buffer or pipe of ours, bytes
  bool own_blocks = false;  ///< a written file must share no block with its source: only reading
                            ///< and writing is sure of that
};

/// The four endings of a turn. Counts are exact in all of them.
enum class Ending {
  finished,  ///< all of the job, or the source ended: compare `moved` with what was asked
  paused,    ///< `wait` says what must happen first
  refused,   ///< not offered here, nothing stranded: another method may go on from this place
  failed,    ///< final; `error` says why
};
std::string_view name_of(Ending ending);

/// What a paused engine needs before its next turn.
enum class Wait {
  nothing,  ///< the budget is spent or a signal came
  source_readable,
  destination_writable,
  timer,  ///< nothing to poll for: try again a little later
};

/// Where an engine stands. Counts are totals since the engine was started.
struct Progress {
  Ending ending = Ending::finished;
  Wait wait = Wait::nothing;     ///< when paused
  Bytes moved = 0;               ///< reached the destination
  Bytes head = 0;                ///< of `Job::head`, sent
  Bytes stranded = 0;            ///< left the source for good and has not arrived
  std::uint64_t calls = 0;       ///< system calls made to move bytes
  std::optional<Error> error;    ///< when failed, and when the kernel's errno made us refuse
  std::optional<Reason> reason;  ///< when refused without an errno, e.g. first-call-zero
};

/// What one engine is to do. Borrows both descriptors until the engine is destroyed.
///
/// The destination is written at its own position (or its end, with O_APPEND), which advances.
struct Job {
  Plain source;
  Plain destination;
  Facts source_facts;
  Facts destination_facts;
  std::optional<Bytes> offset;  ///< of the source, whose position stays; absent: a stream
  std::optional<Bytes> bytes;   ///< absent: to the end of the source
  std::optional<Bytes> buffer;  ///< as wished
  /// Set from outside to end the turn at the next call's return; null: cannot be. Nothing is taken
  /// from the source any more, and what was taken is still delivered where it can be.
  const std::atomic<bool>* stop = nullptr;
  /// Must see every byte; null: nobody asks. Only methods that can (`Method::shows_bytes`) are
  /// given one.
  const Tap* tap = nullptr;
  /// To be sent before the first byte, with it where that can be. Only methods that do so
  /// (`Method::sends_head`) are given one. Nothing of it is sent where there is no first byte.
  std::span<const std::byte> head;
};

/// Moves the bytes of one job and never waits for a peer: it pauses and says what to wait for.
///
/// Threads: one caller at a time. Destroying an engine drops what is stranded in it.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// One turn of at most `budget` bytes; only a clone, which copies none, goes beyond it. After
  /// `finished`, `refused` or `failed` it is over.
  virtual Progress advance(Bytes budget) = 0;
  /// What a reader of the report should know ("pipe of 65536 bytes, 1048576 refused: Operation not
  /// permitted").
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  /// How often a processor copied each byte on this machine's side of the two ends, where the
  /// engine knows it: by construction, or by what the kernel said when done. Absent where only the
  /// kernel knows. A value, like the counts in `Progress`, of what has happened so far.
  [[nodiscard]] virtual std::optional<unsigned> copies_per_byte() const { return {}; }
};

/// One way to move bytes: a folder under src/methods and one constant of this type.
struct Method {
  std::string_view name;  ///< as typed after --method and printed in reports
  PathClass path_class = PathClass::user;
  std::string_view summary;     ///< one line for `explain --methods`
  bool sleeps_on_disk = false;  ///< a turn may sleep on a disk: an event loop gives it to a worker
  bool shows_bytes = false;     ///< honours `Job::tap`
  bool sends_head = false;      ///< honours `Job::head`
  /// May it serve these two ends under these wishes? Pure.
  std::optional<Reason> (*refuse)(const Facts& source, const Facts& destination,
                                  const Wishes& wishes) = nullptr;
  /// Place among the methods that may serve; the smallest goes first. Pure. 0 to 99 are for
  /// default paths in measured order; 100 and more: only when named by --method.
  int (*rank)(const Facts& source, const Facts& destination) = nullptr;
  /// A fresh engine; does nothing until its first turn.
  std::unique_ptr<Engine> (*start)(const Job& job) = nullptr;
};

/// Every method this build contains; the list is written by the build from src/methods/.
std::span<const Method* const> all_methods();

/// Methods of rank 100 and more are taken only when --method names them.
inline constexpr int first_rank_by_name_only = 100;

}  // namespace headrace
