#include "transfer/waiter.hpp"

#include <array>

#include "net/outstanding.hpp"
#include "sys/poll.hpp"

namespace headrace {
namespace {

// Where there is nothing to poll for: soon enough not to be felt, seldom enough not to burn a core.
constexpr std::chrono::milliseconds tick{1};

constexpr Clock::time_point never = Clock::time_point::max();

std::optional<std::chrono::milliseconds> time_left(Clock::time_point until) {
  if (until == never) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  return std::max(left, std::chrono::milliseconds{0});
}

}  // namespace

Waiter::Waiter(const Job& job, const Stop& stop, std::optional<std::chrono::milliseconds> idle)
    : job_(job), stop_(stop), idle_(idle) {}

void Waiter::progressed() { last_progress_ = Clock::now(); }

bool Waiter::stop_requested() const {
  return stop_.requested != nullptr && stop_.requested->load(std::memory_order_relaxed);
}

Clock::time_point Waiter::silence_ends() const { return idle_ ? last_progress_ + *idle_ : never; }

// A full send buffer hides a peer that is slow but alive: it takes bytes while we cannot write.
bool Waiter::peer_took_bytes() {
  if (!is_socket(job_.destination_facts.kind)) return false;
  const auto before = unacknowledged_;
  unacknowledged_ = net::unacknowledged(job_.destination.descriptor);
  return before && unacknowledged_ && *unacknowledged_ < *before;
}

Woken Waiter::wait(Wait what) {
  if (what == Wait::nothing) return stop_requested() ? Woken::stopped : Woken::ready;
  if (what == Wait::timer) return wait_until(Clock::now() + tick);
  const bool for_source = what == Wait::source_readable;
  const DescriptorRef end = for_source ? job_.source.descriptor : job_.destination.descriptor;
  if (idle_ && !for_source) peer_took_bytes();
  for (;;) {
    const Woken woken = poll(end, for_source ? POLLIN : POLLOUT, silence_ends());
    if (woken != Woken::silent || for_source || !peer_took_bytes()) return woken;
    progressed();
  }
}

Woken Waiter::wait_until(Clock::time_point when) {
  if (when >= silence_ends()) return poll({}, 0, silence_ends());
  const Woken woken = poll({}, 0, when);
  return woken == Woken::silent ? Woken::ready : woken;
}

// `silent` when `until` is reached. A destination that is only watched reports POLLERR and
// POLLHUP unasked; that a file reports nothing is fine.
Woken Waiter::poll(DescriptorRef end, short event, Clock::time_point until) {
  const bool watch_destination = event == POLLIN && !is_file(job_.destination_facts.kind);
  std::array ends{pollfd{.fd = stop_.wake.number(), .events = POLLIN, .revents = 0},
                  pollfd{.fd = end.number(), .events = event, .revents = 0},
                  pollfd{.fd = watch_destination ? job_.destination.descriptor.number() : -1,
                         .events = 0,
                         .revents = 0}};
  for (;;) {
    if (stop_requested()) return Woken::stopped;
    const auto count = sys::poll(ends, time_left(until));
    if (!count) {
      if (count.error().code == std::errc::interrupted) continue;
      trouble_ = count.error();  // to go on without it would be a busy loop
      return Woken::cannot_wait;
    }
    if (*count == 0) return Woken::silent;
    if (ends[0].revents != 0) return Woken::stopped;
    if (ends[1].revents != 0) return Woken::ready;
    if ((ends[2].revents & POLLERR) != 0) return Woken::destination_gone;
    // A hang-up alone may be half a connection; not to be woken by it again and again.
    if (ends[2].revents != 0) ends[2].fd = -1;
  }
}

}  // namespace headrace
