#include "http/server/watch_progress.hpp"

#include <gtest/gtest.h>

namespace headrace::http::server {
namespace {

using std::chrono::seconds;
using Verdict = WatchProgress::Verdict;

constexpr Clock::time_point start{};
constexpr WatchProgress::Limits limits{.idle = seconds{2}, .min_rate = 32};

TEST(WatchProgressOf, ASlowClientThatTakesSomethingNowAndThenLives) {
  WatchProgress watch{limits, start};
  std::int64_t taken = 0;
  for (int second = 1; second < 600; ++second) {
    ASSERT_EQ(watch.look(start + seconds{second}, taken += 32), Verdict::alive) << second;
  }
}

TEST(WatchProgressOf, SilenceEndsAfterTheIdleTime) {
  WatchProgress watch{limits, start};
  EXPECT_EQ(watch.look(start + seconds{1}, 100), Verdict::alive);
  EXPECT_EQ(watch.look(start + seconds{2}, 100), Verdict::alive);
  EXPECT_EQ(watch.look(start + seconds{3}, 100), Verdict::silent);
}

TEST(WatchProgressOf, WhatTheFirstLookFindsIsNoSilence) {
  WatchProgress watch{limits, start};
  EXPECT_EQ(watch.look(start + seconds{10}, -5), Verdict::alive);
  EXPECT_EQ(watch.look(start + seconds{12}, -5), Verdict::silent);
}

TEST(WatchProgressOf, ADripIsTooSlowAfterAWindow) {
  WatchProgress watch{limits, start};
  watch.look(start, 0);
  std::int64_t taken = 0;
  for (int second = 1; second < 60; ++second) {
    ASSERT_EQ(watch.look(start + seconds{second}, ++taken), Verdict::alive) << second;
  }
  EXPECT_EQ(watch.look(start + seconds{60}, ++taken), Verdict::too_slow);
}

TEST(WatchProgressOf, ADripIsAliveWhereNoRateIsAskedFor) {
  WatchProgress watch{{.idle = seconds{2}, .min_rate = 0}, start};
  std::int64_t taken = 0;
  for (int second = 1; second < 200; ++second) {
    ASSERT_EQ(watch.look(start + seconds{second}, ++taken), Verdict::alive) << second;
  }
}

TEST(WatchProgressOf, EachWindowCountsByItself) {
  WatchProgress watch{limits, start};
  watch.look(start + seconds{1}, 0);
  EXPECT_EQ(watch.look(start + seconds{2}, 1'000'000), Verdict::alive);
  std::int64_t taken = 1'000'000;
  Verdict verdict = Verdict::alive;
  for (int second = 3; second <= 121 && verdict == Verdict::alive; ++second) {
    verdict = watch.look(start + seconds{second}, ++taken);
  }
  EXPECT_EQ(verdict, Verdict::too_slow);
}

TEST(WatchProgressOf, SilenceOfOursIsExcused) {
  WatchProgress watch{limits, start};
  for (int second = 1; second < 200; ++second) {
    watch.excuse(start + seconds{second}, 7);
    ASSERT_EQ(watch.look(start + seconds{second}, 7), Verdict::alive) << second;
  }
  EXPECT_EQ(watch.look(start + seconds{202}, 7), Verdict::silent);
}

TEST(WatchProgressOf, FallingBackIsNoProgress) {
  WatchProgress watch{limits, start};
  watch.look(start, 100);
  EXPECT_EQ(watch.look(start + seconds{1}, 50), Verdict::alive);
  EXPECT_EQ(watch.look(start + seconds{2}, 50), Verdict::silent);
}

TEST(WatchProgressOf, LooksOftenEnoughToSeeASilenceInTime) {
  WatchProgress watch{limits, start};
  EXPECT_EQ(watch.next_look(start), start + std::chrono::milliseconds{500});
}

}  // namespace
}  // namespace headrace::http::server
