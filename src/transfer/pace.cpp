#include "transfer/pace.hpp"

#include <algorithm>
#include <cmath>

namespace headrace {
namespace {

// Portions a second: even enough for a reader, few enough to cost nothing.
constexpr Bytes portions_per_second = 20;
// Ten years from the last even point: far from where a clock's count would overflow.
constexpr std::chrono::duration<double> longest_wait{3e8};

}  // namespace

Bytes Pace::portion() const { return std::max(*rate_ / portions_per_second, Bytes{1}); }

Bytes Pace::allowance(Bytes moved, Clock::time_point now) {
  if (!rate_) return everything;
  const auto rate = static_cast<double>(*rate_);
  const auto most = static_cast<double>(2 * portion());
  const std::chrono::duration<double> elapsed = now - start_;
  double credit = elapsed.count() * rate - static_cast<double>(moved - origin_);
  if (credit > most) {
    credit = most;
    origin_ = moved;
    start_ = now - std::chrono::ceil<Clock::duration>(std::chrono::duration<double>{most / rate});
  }
  return credit < static_cast<double>(portion()) ? 0 : static_cast<Bytes>(credit);
}

Clock::time_point Pace::next(Bytes moved) const {
  const double owed = static_cast<double>(moved - origin_) + static_cast<double>(portion());
  const double seconds = std::min(owed / static_cast<double>(*rate_), longest_wait.count());
  // One tick more than computed, so that rounding never wakes us too early.
  return start_ + std::chrono::ceil<Clock::duration>(std::chrono::duration<double>{seconds}) +
         std::chrono::microseconds{1};
}

}  // namespace headrace
