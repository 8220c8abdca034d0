#pragma once

#include <chrono>
#include <optional>

#include "headrace/descriptor.hpp"
#include "headrace/result.hpp"
#include "headrace/transfer.hpp"

namespace headrace::net {

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;  ///< absent: never

/// The moment `limit` from now; absent when there is no limit.
Deadline deadline_after(std::optional<std::chrono::milliseconds> limit);
/// The earlier of two.
Deadline earlier(Deadline left, Deadline right);

bool stop_requested(const Stop& stop);

enum class Woken { ready, stopped, timed_out };

/// Waits until `descriptor` has one of the poll(2) `events` (or an error or hang-up), `stop` is
/// requested, or `deadline` has passed. An invalid descriptor waits for the other two alone.
/// Signals do not end it unless they request the stop.
Result<Woken> wait_for(DescriptorRef descriptor, short events, Deadline deadline, const Stop& stop);

/// Waits for something poll(2) cannot tell, in steps of 1, 2, 4 ... 50 ms: short at first, because
/// most such waits end at once, and never a busy loop.
class BackOff {
 public:
  /// The moment of the next look, at most `limit`.
  Deadline next(Deadline limit);
  void reset() { step_ = first_step; }

 private:
  static constexpr std::chrono::milliseconds first_step{1};
  static constexpr std::chrono::milliseconds longest_step{50};
  std::chrono::milliseconds step_ = first_step;
};

}  // namespace headrace::net
