#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "headrace/bytes.hpp"
#include "net/wait.hpp"

namespace headrace::http::server {

using net::Clock;

/// Tells a slow peer, which is to be waited for, from a stalled or a dripping one.
///
/// Pure arithmetic: is told times, and how far the peer has come. What counts is what the peer did:
/// bytes it acknowledged, bytes that came from it; never what we handed to the kernel.
class WatchProgress {
 public:
  struct Limits {
    std::chrono::milliseconds idle{60'000};  ///< the longest silence
    Bytes min_rate = 0;                      ///< bytes per second over `window`; 0: none
  };
  static constexpr std::chrono::seconds window{60};

  enum class Verdict {
    alive,
    silent,    ///< nothing came of it for as long as `Limits::idle`
    too_slow,  ///< less than `Limits::min_rate` over a whole window
  };

  WatchProgress(const Limits& limits, Clock::time_point now);

  /// `progress` may be any number: only how it grows counts. The first look has nothing to compare
  /// with, and takes the peer for alive.
  Verdict look(Clock::time_point now, std::int64_t progress);
  /// The silence until `now` was ours: a disk, a rate we keep, nothing to wait for.
  void excuse(Clock::time_point now, std::int64_t progress);
  /// When to look again: often enough that a silence is seen within a quarter more than allowed.
  [[nodiscard]] Clock::time_point next_look(Clock::time_point now) const;

 private:
  Limits limits_;
  Clock::time_point alive_;               // the last sign of life
  std::optional<std::int64_t> progress_;  // at the last look
  Clock::time_point window_start_;
  std::int64_t window_progress_ = 0;
};

}  // namespace headrace::http::server
