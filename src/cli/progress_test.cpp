#include "cli/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace headrace::cli {
namespace {

TEST(ProgressLine, ShowsBytesShareRateAndTimeLeft) {
  const std::string line = progress_line(256 * mebibyte, gibibyte, 2, 100);
  EXPECT_NE(line.find("256MiB of 1GiB"), std::string::npos) << line;
  EXPECT_NE(line.find("128MiB/s"), std::string::npos) << line;
  EXPECT_NE(line.find(" 25%"), std::string::npos) << line;
  EXPECT_NE(line.find("0:06 left"), std::string::npos) << line;
  EXPECT_NE(line.find("[####"), std::string::npos) << line;
}

TEST(ProgressLine, ShowsBytesAndRateWhereTheSizeIsUnknown) {
  for (const std::optional<Bytes> expected : {std::optional<Bytes>{}, std::optional<Bytes>{0}}) {
    const std::string line = progress_line(mebibyte, expected, 1, 80);
    EXPECT_EQ(line, "1MiB  1MiB/s");
  }
}

TEST(ProgressLine, TheBarGrowsWithTheShare) {
  const auto full = [](Bytes moved) {
    const std::string line = progress_line(moved, 100, 1, 120);
    return std::ranges::count(line, '#');
  };
  EXPECT_EQ(full(0), 0);
  EXPECT_EQ(full(50), 20);
  EXPECT_EQ(full(100), 40);
}

TEST(ProgressLine, ASourceThatGivesMoreThanExpectedStaysAtAHundred) {
  const std::string line = progress_line(300, 100, 1, 120);
  EXPECT_NE(line.find("100%"), std::string::npos) << line;
  EXPECT_NE(line.find("0:00 left"), std::string::npos) << line;
}

TEST(ProgressLine, NoTimeOrNoBytesMakeNoRateAndNoTimeLeft) {
  for (const auto& [moved, seconds] :
       {std::pair{Bytes{5}, 0.0}, {Bytes{0}, 3.0}, {Bytes{0}, 0.0}}) {
    const std::string line = progress_line(moved, 100, seconds, 120);
    EXPECT_NE(line.find(" 0B/s"), std::string::npos) << line;
    EXPECT_NE(line.find("? left"), std::string::npos) << line;
  }
}

TEST(ProgressLine, LongTimesAreHoursAndHaveAnEnd) {
  EXPECT_NE(progress_line(1, 7201, 1, 120).find("2:00:00 left"), std::string::npos);
  EXPECT_NE(progress_line(1, everything, 1, 120).find("99:59:59 left"), std::string::npos);
}

TEST(ProgressLine, ANarrowTerminalHasNoBar) {
  const std::string line = progress_line(50, 100, 1, 40);
  EXPECT_EQ(line.find('['), std::string::npos) << line;
  EXPECT_NE(line.find("50B of 100B"), std::string::npos) << line;
}

// The last column stays free: some terminals wrap when it is written.
TEST(ProgressLine, IsAlwaysShorterThanTheTerminalIsWide) {
  for (int width = -1; width < 200; ++width) {
    for (const std::optional<Bytes> expected :
         {std::optional<Bytes>{}, std::optional<Bytes>{1}, std::optional<Bytes>{everything}}) {
      for (const Bytes moved : {Bytes{0}, Bytes{1023}, 1023 * mebibyte, everything}) {
        for (const double seconds : {0.0, 1.0, 1e9}) {
          const auto line = progress_line(moved, expected, seconds, width);
          ASSERT_LE(static_cast<int>(line.size()), std::max(width - 1, 0)) << line;
        }
      }
    }
  }
}

TEST(ProgressDisplay, IsWantedAlwaysOrNeverAsAsked) {
  EXPECT_TRUE(Progress(ProgressDisplay::always, false, {}).wanted());
  EXPECT_TRUE(Progress(ProgressDisplay::always, true, {}).wanted());
  EXPECT_FALSE(Progress(ProgressDisplay::never, false, {}).wanted());
  EXPECT_FALSE(Progress(ProgressDisplay::automatic, true, {}).wanted());
}

}  // namespace
}  // namespace headrace::cli
