#pragma once

#include <poll.h>

#include <array>

#include "headrace/transfer.hpp"
#include "transfer/keeping.hpp"
#include "transfer/pace.hpp"

namespace headrace {

enum class Woken {
  ready,
  stopped,           ///< the caller asked for the end
  silent,            ///< nothing happened for the whole idle time-out
  destination_gone,  ///< while waiting for the source: nobody will take its bytes any more
  cannot_wait,       ///< poll(2) is refused, or the peer has reset: see `trouble()`
};

/// Waits for one transfer's ends, its caller's stop and its idle time-out: the only place where a
/// transfer sleeps on purpose.
class Waiter {
 public:
  /// Borrows all three. `keeping` is asked to look every now and then while waiting.
  Waiter(const Job& job, const Options& options, Keeping& keeping);

  /// Bytes moved since the last call, or a wait of our own choosing ended: silence starts anew.
  void progressed();
  Woken wait(Wait what);
  Woken wait_until(Clock::time_point when);
  /// Until the destination's peer has acknowledged all it was sent, or a pipe's reader has taken
  /// it. At once where nothing tells of that.
  Woken wait_acknowledged();
  [[nodiscard]] bool acknowledged() const { return outstanding().value_or(0) == 0; }
  [[nodiscard]] bool stop_requested() const;
  /// Bytes the destination's peer sent and nobody wanted (Options::discard_replies).
  [[nodiscard]] Bytes discarded() const { return discarded_; }
  /// What poll(2) or the peer answered, after `cannot_wait`.
  [[nodiscard]] const std::optional<Error>& trouble() const { return trouble_; }

 private:
  Woken wait_a_tick();
  Woken poll(DescriptorRef end, short event, Clock::time_point until);
  using Ends = std::array<pollfd, 3>;  // the stop's, the one waited for, the destination watched
  std::optional<Woken> judge(Ends& ends, short event);
  [[nodiscard]] short events_of_destination(short event) const;
  bool discard_reply();
  [[nodiscard]] Clock::time_point silence_ends() const;
  [[nodiscard]] Clock::time_point next_look() const;
  bool peer_took_bytes();
  [[nodiscard]] std::optional<Bytes> outstanding() const;
  std::optional<Woken> broken();
  [[nodiscard]] bool acknowledged_soon() const;
  [[nodiscard]] Clock::time_point next_pause(Clock::time_point until) const;

  const Job& job_;
  Keeping& keeping_;
  Stop stop_;
  std::optional<std::chrono::milliseconds> idle_;
  Clock::time_point last_progress_ = Clock::now();
  std::optional<Error> trouble_;
  bool replies_wanted_;  // to be read and thrown away
  Bytes discarded_ = 0;
  std::optional<Bytes> unacknowledged_;  // when the silence was last measured
  Clock::time_point next_tick_look_;     // at the peer, by waits for a timer
};

}  // namespace headrace
