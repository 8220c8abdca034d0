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
  std::vector<std::string> notes;
};

/// What a transfer's end means for the caller; the tool's exit status follows from it.
enum class Outcome {
  complete,
  failed,          ///< the last leg (or `error`) tells the failure
  refused,         ///< no method that the wishes allow could go on: status 3
  source_changed,  ///< fewer bytes than the source promised: status 4
  interrupted,     ///< stopped by the caller
};
std::string_view name_of(Outcome outcome);

/// What the congestion control was and whether headrace changed it.
struct Congestion {
  std::string in_force;  ///< empty: no TCP end
  std::string before;    ///< empty: unchanged
};

/// What happened. A value: it borrows nothing but the methods' constants.
struct Report {
  std::string command;  ///< "copy", "send"...; empty for library use
  Facts source;
  Facts destination;
  Contract contract = Contract::live;
  bool peer_memory = false;  ///< sent by reference to a peer on this machine: unread bytes are
                             ///< still pages of the file
  Wishes wishes;
  Bytes bytes = 0;                    ///< moved: reached the destination
  Bytes stranded = 0;                 ///< left the source, did not arrive
  std::optional<Bytes> expected;      ///< where the length was known
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
};

/// The lowest class among the legs that moved bytes; absent when none did.
std::optional<PathClass> class_of(const Report& report);

}  // namespace headrace
