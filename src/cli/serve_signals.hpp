#pragma once

#include <utility>

#include "headrace/descriptor.hpp"

namespace headrace::cli {

/// The signals that steer a server, read instead of handled: all threads may then be left alone by
/// them. SIGINT and SIGTERM ask for the end, SIGHUP for a new log.
///
/// Signals that were ignored when the tool was started stay ignored (nohup).
class ServeSignals {
 public:
  /// Blocks them for the calling thread and all that it starts from now on.
  static Result<ServeSignals> block();

  enum class Event { end, reopen_log, over };
  /// Waits for the next signal, or for `over()`.
  Result<Event> wait();
  /// Ends the waiting. From any thread.
  void over() const;
  /// The signal that asked for the end last; 0: none.
  [[nodiscard]] int last() const { return last_; }

 private:
  ServeSignals(Descriptor signals, Descriptor over)
      : signals_(std::move(signals)), over_(std::move(over)) {}

  Descriptor signals_;
  Descriptor over_;
  int last_ = 0;
};

}  // namespace headrace::cli
