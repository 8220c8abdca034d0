#pragma once

#include <cstdint>

namespace headrace::http::server {

/// How far a connection came with what it is doing.
enum class Step {
  waits,     ///< for an event, a time or a worker
  again,     ///< it would go on at once: others first
  answered,  ///< the whole answer is with the kernel
  broken,    ///< what was begun stays incomplete: the connection is reset
  ended,     ///< nothing is left to be done with the connection
};

/// What a connection does between two heads, where that cannot be done at once. Its owner is the
/// connection; it is called again whenever something that it waits for may have come.
class Activity {
 public:
  Activity() = default;
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;
  virtual ~Activity() = default;

  virtual Step advance() = 0;

  /// What a time-out goes by.
  struct Life {
    std::int64_t progress = 0;  ///< of the peer, in bytes; any origin
    bool ours = false;          ///< the peer owes nothing now: this silence is ours
  };
  [[nodiscard]] virtual Life life() const = 0;
  /// The peer was silent or too slow: the last step.
  virtual Step time_out() { return Step::broken; }
};

}  // namespace headrace::http::server
