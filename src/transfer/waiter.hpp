#pragma once

#include <poll.h>

#include <array>

#include "headrace/transfer.hpp"
#include "transfer/keeping.hpp"
#include "transfer/need.hpp"

namespace headrace {

/// Waits for one transfer's ends, its caller's stop and its idle time-out: the only place where a
/// transfer sleeps on purpose.
class Waiter {
 public:
  /// Borrows all three. `keeping` is asked to look every now and then while waiting.
  Waiter(const Job& job, const Options& options, Keeping& keeping);

  /// Bytes moved since the last call, or a wait of our own choosing ended: silence starts anew.
  void progressed();
  Woken wait(Wait what);
  /// What a turn needs that left `done` bytes at the destination; more than the last time is
  /// progress.
  Woken wait(const Need& need, Bytes done);
  Woken wait_until(Clock::time_point when);
  /// Until the destination's peer has acknowledged all it was sent, or a pipe's reader has taken
  /// it. At once where nothing tells of that.
  Woken wait_acknowledged();
  [[nodiscard]] bool stop_requested() const;
  /// Bytes the destination's peer sent and nobody wanted (Replies::discarded).
  [[nodiscard]] Bytes discarded() const { return discarded_; }
  /// What poll(2) or the peer answered, after `cannot_wait`.
  [[nodiscard]] const std::optional<Error>& trouble() const { return trouble_; }

 private:
  Woken wait_a_tick();
  Woken poll(DescriptorRef end, short event, Clock::time_point until);
  using Ends = std::array<pollfd, 3>;  // the stop's, the one waited for, the destination watched
  std::optional<Woken> judge(Ends& ends, short event);
  [[nodiscard]] short events_of_destination(short event) const;
  std::optional<Woken> take_reply();
  std::optional<Woken> discard_reply();
  Woken between_turns();
  [[nodiscard]] Clock::time_point silence_ends() const;
  [[nodiscard]] Clock::time_point next_look() const;
  bool peer_took_bytes();
  std::optional<Woken> broken();
  [[nodiscard]] bool acknowledged_soon() const;
  [[nodiscard]] Clock::time_point next_pause(Clock::time_point until) const;

  const Job& job_;
  Keeping& keeping_;
  Stop stop_;
  std::optional<std::chrono::milliseconds> idle_;
  Clock::time_point last_progress_ = Clock::now();
  std::optional<Error> trouble_;
  Replies replies_;
  Bytes done_ = 0;
  Bytes discarded_ = 0;
  std::optional<Bytes> unacknowledged_;  // when the silence was last measured
  Clock::time_point next_tick_look_;     // at the peer, by waits for a timer
};

}  // namespace headrace
