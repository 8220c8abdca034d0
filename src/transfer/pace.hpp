#pragma once

#include <chrono>
#include <optional>

#include "headrace/bytes.hpp"

namespace headrace {

using Clock = std::chrono::steady_clock;

/// Spreads bytes evenly at a rate: a token bucket that holds two portions of 1/20 second, so that
/// a stall is not made up for by a burst. Asks no clock: it is told the time and what has moved.
class Pace {
 public:
  /// `rate` in bytes per second; absent: no limit.
  Pace(std::optional<Bytes> rate, Clock::time_point start) : rate_(rate), start_(start) {}

  /// What may be moved now, after `moved` bytes; 0 means wait until `next(moved)`.
  Bytes allowance(Bytes moved, Clock::time_point now);
  /// When the next portion may go.
  [[nodiscard]] Clock::time_point next(Bytes moved) const;

 private:
  [[nodiscard]] Bytes portion() const;

  std::optional<Bytes> rate_;
  Clock::time_point start_;  // when `origin_` bytes had moved and nothing was owed
  Bytes origin_ = 0;
};

}  // namespace headrace
