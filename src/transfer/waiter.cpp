#include "transfer/waiter.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "methods/support/errno_table.hpp"
#include "net/outstanding.hpp"
#include "net/wait.hpp"
#include "sys/poll.hpp"
#include "sys/read_write.hpp"
#include "sys/socket.hpp"
#include "transfer/peer.hpp"

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

// A socket hangs up when no byte can be sent any more: a peer that only said its last word is no
// hang-up (unix_poll, tcp_poll). A unix peer that closed raises no error besides; TCP raises one
// for notifications in its error queue as well (MSG_ZEROCOPY), and hangs up whenever it breaks.
bool is_gone(Kind destination, short events) {
  if (destination == Kind::tcp) return (events & POLLHUP) != 0;
  return (events & POLLERR) != 0 || (is_socket(destination) && (events & POLLHUP) != 0);
}

}  // namespace

Waiter::Waiter(const Job& job, const Options& options, Keeping& keeping)
    : job_(job),
      keeping_(keeping),
      stop_(options.stop),
      idle_(options.idle_timeout),
      replies_(is_socket(job.destination_facts.kind) ? options.replies : Replies::ignored) {}

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

Woken Waiter::wait(const Need& need, Bytes done) {
  if (std::exchange(done_, done) != done) progressed();
  switch (need.what) {
    case Need::What::over:
    case Need::What::turn:
      return wait(Wait::nothing);
    case Need::What::source_readable:
      return wait(Wait::source_readable);
    case Need::What::destination_writable:
      return wait(Wait::destination_writable);
    case Need::What::acknowledged:
      return wait_acknowledged();
    case Need::What::tick:
      return wait(Wait::timer);
    case Need::What::time:
      break;
  }
  progressed();  // this silence is ours
  const Woken woken = wait_until(need.when);
  progressed();
  return woken == Woken::silent ? Woken::ready : woken;
}

Woken Waiter::between_turns() {
  if (stop_requested()) return Woken::stopped;
  if (replies_ != Replies::end_it) return Woken::ready;
  return take_reply().value_or(Woken::ready);
}

Woken Waiter::wait(Wait what) {
  if (what == Wait::nothing) return between_turns();
  if (what == Wait::timer) return wait_a_tick();
  const bool for_source = what == Wait::source_readable;
  const DescriptorRef end = for_source ? job_.source.descriptor : job_.destination.descriptor;
  if (for_source) return poll(end, POLLIN, silence_ends());
  for (;;) {
    const Woken woken = poll(end, POLLOUT, std::min(silence_ends(), next_look()));
    if (woken != Woken::silent) return woken;
    if (peer_took_bytes()) progressed();
    if (Clock::now() >= silence_ends()) return Woken::silent;
  }
}

// Absent where poll(2) woke us for completions that nobody has fetched (MSG_ZEROCOPY).
std::optional<Woken> Waiter::broken() {
  const Kind kind = job_.destination_facts.kind;
  std::array end{pollfd{.fd = job_.destination.descriptor.number(), .events = 0, .revents = 0}};
  const auto count = sys::poll(end, std::chrono::milliseconds{0});
  if (!count || !is_gone(kind, end.front().revents)) return std::nullopt;
  if (!is_socket(kind)) return Woken::destination_gone;
  const auto pending = sys::getsockopt(job_.destination.descriptor, sys::option::pending_error);
  if (!pending || *pending == 0) return Woken::destination_gone;
  trouble_ = Error{{*pending, std::system_category()}, sys::option::pending_error.get_call};
  return Woken::cannot_wait;
}

// A peer that reads has the rest within a part of a millisecond, which poll(2) cannot wait.
bool Waiter::acknowledged_soon() const {
  using std::chrono::microseconds;
  constexpr std::array pauses{microseconds{0}, microseconds{50}, microseconds{100},
                              microseconds{200}};
  return std::ranges::any_of(pauses, [this](microseconds pause) {
    std::this_thread::sleep_for(pause);
    return outstanding(job_).value_or(0) == 0;
  });
}

Woken Waiter::wait_acknowledged() {
  if (acknowledged_soon()) return Woken::ready;
  net::BackOff back_off;
  for (auto before = outstanding(job_); before.value_or(0) > 0;) {
    const auto look = back_off.next(silence_ends()).value_or(never);
    Woken woken = poll(job_.destination.descriptor, 0, look);
    if (woken == Woken::ready) {
      const auto end = broken();
      woken = end ? *end : wait_until(look);
    }
    if (woken != Woken::ready && woken != Woken::silent) return woken;
    if (Clock::now() >= silence_ends()) return Woken::silent;
    const auto now = outstanding(job_);
    if (now != before) progressed();
    before = now;
  }
  return Woken::ready;
}

// Whoever waits for completions moves nothing any more: that the peer takes bytes is progress.
Woken Waiter::wait_a_tick() {
  if (Clock::now() >= next_tick_look_) {
    if (peer_took_bytes()) progressed();
    next_tick_look_ = next_look();
  }
  return wait_until(Clock::now() + tick);
}

// Seldom enough to cost nothing, often enough that the time-out is late by a quarter at most.
Clock::time_point Waiter::next_look() const { return idle_ ? Clock::now() + *idle_ / 4 : never; }

Woken Waiter::wait_until(Clock::time_point when) {
  if (when >= silence_ends()) return poll({}, 0, silence_ends());
  const Woken woken = poll({}, 0, when);
  return woken == Woken::silent ? Woken::ready : woken;
}

// What poll(2) is asked about a destination that is only watched; -1: nothing, leave it out.
// POLLERR and POLLHUP come unasked, and a file reports nothing worth knowing.
short Waiter::events_of_destination(short event) const {
  if (replies_ != Replies::ignored) return POLLIN;
  return event == POLLIN && !is_file(job_.destination_facts.kind) ? short{0} : short{-1};
}

// What the peer sent: absent where the wait goes on. Its end alone is no trouble: it may still
// read.
std::optional<Woken> Waiter::take_reply() {
  if (replies_ == Replies::discarded) return discard_reply();
  const auto said = listen_to_peer(job_.destination.descriptor);
  if (said && *said == Said::something) return Woken::answered;
  if (said && *said == Said::the_end) replies_ = Replies::ignored;
  if (said) return std::nullopt;
  trouble_ = said.error();
  return Woken::cannot_wait;
}

std::optional<Woken> Waiter::discard_reply() {
  std::array<std::byte, 16 * kibibyte> reply;  // NOLINT(*-member-init): to be thrown away
  const auto got = sys::recv(job_.destination.descriptor, reply, MSG_DONTWAIT);
  if (got) {
    discarded_ += *got;
    if (*got == 0) replies_ = Replies::ignored;
    progressed();
    return std::nullopt;
  }
  if (classify(got.error(), 0, false) == Ending::paused) return std::nullopt;
  trouble_ = got.error();
  return Woken::cannot_wait;
}

// Not to keep a writer waiting for a lease of ours.
Clock::time_point Waiter::next_pause(Clock::time_point until) const {
  if (!keeping_.has_lease()) return until;
  return std::min(until, Clock::now() + Keeping::look_every);
}

// `silent` when `until` is reached.
Woken Waiter::poll(DescriptorRef end, short event, Clock::time_point until) {
  const short watched = events_of_destination(event);
  Ends ends{pollfd{.fd = stop_.wake.number(), .events = POLLIN, .revents = 0},
            pollfd{.fd = end.number(), .events = event, .revents = 0},
            pollfd{.fd = watched < 0 ? -1 : job_.destination.descriptor.number(),
                   .events = std::max(watched, short{0}),
                   .revents = 0}};
  for (;;) {
    if (stop_requested()) return Woken::stopped;
    const auto count = sys::poll(ends, time_left(next_pause(until)));
    if (!count && count.error().code == std::errc::interrupted) continue;
    if (!count) {
      trouble_ = count.error();  // to go on without it would be a busy loop
      return Woken::cannot_wait;
    }
    keeping_.look();
    if (*count == 0 && Clock::now() >= until) return Woken::silent;
    if (*count == 0) continue;
    if (const auto woken = judge(ends, event)) return *woken;
  }
}

// What the events mean; absent: nothing that ends the wait.
std::optional<Woken> Waiter::judge(Ends& ends, short event) {
  auto& [wake, end, destination] = ends;
  if (wake.revents != 0) return Woken::stopped;
  const bool replied = replies_ != Replies::ignored && (destination.revents & POLLIN) != 0;
  if (replied) {
    const auto woken = take_reply();
    if (woken) return woken;
  }
  if (end.revents != 0) return Woken::ready;
  if (replied) {
    destination.events = std::max(events_of_destination(event), short{0});
    return std::nullopt;
  }
  if (is_gone(job_.destination_facts.kind, destination.revents)) return Woken::destination_gone;
  // A terminal that hung up may still take bytes; not to be woken by it again and again.
  if (destination.revents != 0) destination.fd = -1;
  return std::nullopt;
}

}  // namespace headrace
