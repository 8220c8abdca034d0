#include "transfer/pace.hpp"

#include <gtest/gtest.h>

namespace headrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Clock::time_point start{};

TEST(Pace, AllowsEverythingWithoutARate) {
  EXPECT_EQ(Pace(std::nullopt, start).allowance(7, start), everything);
}

TEST(Pace, AllowsNothingAtTheStart) { EXPECT_EQ(Pace(1000, start).allowance(0, start), 0U); }

TEST(Pace, AllowsAPortionWhenItIsDue) {
  EXPECT_EQ(Pace(1000, start).allowance(0, start + milliseconds{50}), 50U);
}

TEST(Pace, IsReadyAtTheTimeItNames) {
  for (const Bytes rate : {Bytes{1}, Bytes{3}, Bytes{999}, 7 * mebibyte, 100 * gibibyte}) {
    const Pace pace{rate, start};
    for (const Bytes moved : {Bytes{0}, Bytes{1}, Bytes{12345}, 5 * gibibyte}) {
      EXPECT_GT(pace.allowance(moved, pace.next(moved)), 0U) << rate << " after " << moved;
    }
  }
}

TEST(Pace, NeverRunsAheadOfTheRate) {
  const Pace pace{1000, start};
  Bytes moved = 0;
  for (int step = 1; step <= 100; ++step)
    moved += pace.allowance(moved, start + step * milliseconds{17});
  EXPECT_LE(moved, 1700U);
  EXPECT_GE(moved, 1600U);
}

TEST(Pace, DoesNotBurstAfterAStall) {
  EXPECT_EQ(Pace(1000, start).allowance(0, start + seconds{60}), 100U);
}

}  // namespace
}  // namespace headrace
