#include "net/wait.hpp"

#include <algorithm>
#include <array>

#include "sys/poll.hpp"

namespace headrace::net {
namespace {

// A stop without a descriptor to wake us has to be looked at. People take a tenth of a second for
// "at once".
constexpr std::chrono::milliseconds look_at_stop_every{50};

std::optional<std::chrono::milliseconds> time_left(Deadline deadline) {
  if (!deadline) return std::nullopt;
  // Rounded up: rounding down would spin through the last millisecond.
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
  return std::max(left, std::chrono::milliseconds{0});
}

bool must_look(const Stop& stop) { return stop.requested != nullptr && !stop.wake.valid(); }

}  // namespace

Deadline deadline_after(std::optional<std::chrono::milliseconds> limit) {
  if (!limit) return std::nullopt;
  return Clock::now() + *limit;
}

Deadline earlier(Deadline left, Deadline right) {
  if (!left) return right;
  if (!right) return left;
  return std::min(*left, *right);
}

bool stop_requested(const Stop& stop) {
  return stop.requested != nullptr && stop.requested->load();
}

Result<Woken> wait_for(DescriptorRef descriptor, short events, Deadline deadline,
                       const Stop& stop) {
  const int wake = stop.requested != nullptr ? stop.wake.number() : -1;
  for (;;) {
    if (stop_requested(stop)) return Woken::stopped;
    std::array<pollfd, 2> entries{{{descriptor.number(), events, 0}, {wake, POLLIN, 0}}};
    auto timeout = time_left(deadline);
    if (must_look(stop))
      timeout = std::min(timeout.value_or(look_at_stop_every), look_at_stop_every);
    const auto ready = sys::poll(entries, timeout);
    if (!ready && ready.error().code != std::errc::interrupted) {
      return std::unexpected(ready.error());
    }
    if (!ready) continue;
    if (entries[1].revents != 0) return Woken::stopped;
    if (entries[0].revents != 0) return Woken::ready;
    if (deadline && Clock::now() >= *deadline) return Woken::timed_out;
  }
}

Deadline BackOff::next(Deadline limit) {
  const auto look = deadline_after(step_);
  step_ = std::min(step_ * 2, longest_step);
  return earlier(look, limit);
}

}  // namespace headrace::net
