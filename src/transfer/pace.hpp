#pragma once

#include <chrono>
#include <optional>

#include "headrace/bytes.hpp"

namespace headrace {

using Clock = std::chrono::steady_clock;

/// Spreads bytes evenly at a rate. Pure: it is told the time and what has moved.
class Pace {
 public:
  /// `rate` in bytes per second; absent: no limit.
  Pace(std::optional<Bytes> rate, Clock::time_point start) : rate_(rate), start_(start) {}

  /// What may be moved now, after `moved` bytes; 0 means wait until `next(moved)`.
  [[nodiscard]] Bytes allowance(Bytes moved, Clock::time_point now) const;
  /// When the next portion may go.
  [[nodiscard]] Clock::time_point next(Bytes moved) const;

 private:
  [[nodiscard]] Bytes portion() const;

  std::optional<Bytes> rate_;
  Clock::time_point start_;
};

}  // namespace headrace
