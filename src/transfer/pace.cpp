#include "transfer/pace.hpp"

#include <algorithm>
#include <cmath>

namespace headrace {
namespace {

// Portions a second: even enough for a reader, few enough to cost nothing.
constexpr Bytes portions_per_second = 20;

}  // namespace

Bytes Pace::portion() const { return std::max(*rate_ / portions_per_second, Bytes{1}); }

Bytes Pace::allowance(Bytes moved, Clock::time_point now) const {
  if (!rate_) return everything;
  const std::chrono::duration<double> elapsed = now - start_;
  const auto due = static_cast<Bytes>(elapsed.count() * static_cast<double>(*rate_));
  if (due < moved + portion()) return 0;
  // After a stall the missed portions are not made up in one burst: at most two at once.
  return std::min(due - moved, 2 * portion());
}

Clock::time_point Pace::next(Bytes moved) const {
  const double due = static_cast<double>(moved + portion()) / static_cast<double>(*rate_);
  const auto wait = std::chrono::duration<double>{due};
  // One tick more than computed, so that rounding never wakes us too early.
  return start_ + std::chrono::ceil<Clock::duration>(wait) + std::chrono::microseconds{1};
}

}  // namespace headrace
