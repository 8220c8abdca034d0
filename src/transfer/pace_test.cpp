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
    for (const Bytes moved : {Bytes{0}, Bytes{1}, Bytes{12345}, 200 * mebibyte}) {
      Pace pace{rate, start};
      EXPECT_GT(pace.allowance(moved, pace.next(moved)), 0U) << rate << " after " << moved;
    }
  }
}

TEST(Pace, NeverRunsAheadOfTheRate) {
  Pace pace{1000, start};
  Bytes moved = 0;
  for (int step = 1; step <= 100; ++step)
    moved += pace.allowance(moved, start + step * milliseconds{17});
  EXPECT_LE(moved, 1700U);
  EXPECT_GE(moved, 1600U);
}

TEST(Pace, DoesNotMakeUpForAStall) {
  Pace pace{1000, start};
  Bytes moved = 0;
  for (int turn = 0; turn < 1000; ++turn) moved += pace.allowance(moved, start + seconds{60});
  EXPECT_EQ(moved, 100U);
  EXPECT_EQ(pace.allowance(moved, start + seconds{60} + milliseconds{50}), 50U);
}

TEST(Pace, StandsTheLargestRateAndTheLongestTime) {
  Pace pace{everything, start};
  const Bytes two_portions = 2 * (everything / 20);  // give or take what a double can hold
  EXPECT_NEAR(static_cast<double>(pace.allowance(0, start + std::chrono::hours{24 * 365})),
              static_cast<double>(two_portions), 1e6);
  Pace slow{1, start};
  EXPECT_EQ(slow.allowance(everything / 2, slow.next(everything / 2)), 0U);  // ask again then
}

}  // namespace
}  // namespace headrace
