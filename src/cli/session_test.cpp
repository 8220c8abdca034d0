#include "cli/session.hpp"

#include <gtest/gtest.h>

// What the common options make of a source; nothing here touches a descriptor.
namespace headrace::cli {
namespace {

Facts file_of(Bytes size, Bytes position = 0) {
  return {.kind = Kind::regular,
          .readable = true,
          .writable = true,
          .seekable = true,
          .size = size,
          .position = position};
}
Facts pipe() { return {.kind = Kind::pipe, .readable = true, .writable = true}; }

CommonArguments ranged(Bytes offset, std::optional<Bytes> length) {
  CommonArguments common;
  common.range = Range{.offset = offset, .length = length};
  return common;
}

Body body_for(const Facts& facts, const CommonArguments& common,
              ProgressDisplay display = ProgressDisplay::never) {
  Progress progress{display, false, {}};
  return make_body(DescriptorRef{7}, facts, common, progress);
}

TEST(ExpectedBytes, AreTheRestOfAFileWhoseSizeIsKnown) {
  EXPECT_EQ(expected_bytes(file_of(100), {}), 100U);
  EXPECT_EQ(expected_bytes(file_of(100, 30), {}), 70U);
  EXPECT_EQ(expected_bytes(file_of(100, 300), {}), 0U);
}

TEST(ExpectedBytes, OfARangeEndWithTheFile) {
  EXPECT_EQ(expected_bytes(file_of(100), ranged(10, 20)), 20U);
  EXPECT_EQ(expected_bytes(file_of(100), ranged(90, 20)), 10U);
  EXPECT_EQ(expected_bytes(file_of(100), ranged(90, {})), 10U);
  EXPECT_EQ(expected_bytes(file_of(100), ranged(101, 5)), 0U);
  EXPECT_EQ(expected_bytes(file_of(100), ranged(1, everything)), 99U);
}

TEST(ExpectedBytes, OfAStreamAreKnownOnlyWhereAskedFor) {
  EXPECT_FALSE(expected_bytes(pipe(), {}));
  EXPECT_FALSE(expected_bytes(file_of(0), {}));
  EXPECT_EQ(expected_bytes(pipe(), ranged(0, 20)), 20U);
}

TEST(MakeBody, WithoutOptionsIsTheSourceAsItStands) {
  const Body body = body_for(file_of(100), {});
  ASSERT_EQ(body.pieces.size(), 1U);
  EXPECT_EQ(descriptor_of(body.pieces[0]), DescriptorRef{7});
  EXPECT_FALSE(body.pieces[0].offset);
  EXPECT_FALSE(body.pieces[0].length);
  EXPECT_FALSE(body.rate);
  EXPECT_TRUE(body.observers.empty());
}

TEST(MakeBody, ARangeOfAStreamHasNoOffset) {
  EXPECT_EQ(body_for(file_of(100), ranged(10, 20)).pieces[0].offset, 10U);
  const Piece piece = body_for(pipe(), ranged(0, 20)).pieces[0];
  EXPECT_FALSE(piece.offset);
  EXPECT_EQ(piece.length, 20U);
}

TEST(MakeBody, ARateIsKept) {
  CommonArguments common;
  common.limit_rate = 1000;
  EXPECT_EQ(body_for(pipe(), common).rate, 1000U);
}

TEST(MakeBody, IsWatchedOnlyWhereAProgressIsShown) {
  EXPECT_EQ(body_for(pipe(), {}, ProgressDisplay::always).observers.size(), 1U);
  EXPECT_TRUE(body_for(pipe(), {}, ProgressDisplay::never).observers.empty());
}

TEST(RangeFits, AStreamOnlyFromItsStart) {
  EXPECT_TRUE(range_fits("test", file_of(100), ranged(5, 5)));
  EXPECT_TRUE(range_fits("test", pipe(), ranged(0, 5)));
  EXPECT_TRUE(range_fits("test", pipe(), {}));
  EXPECT_FALSE(range_fits("test", pipe(), ranged(5, 5)));
}

TEST(RangeFits, AFileAsFarAsItGoes) {
  EXPECT_TRUE(range_fits("test", file_of(100), ranged(100, {})));
  EXPECT_TRUE(range_fits("test", file_of(100), ranged(99, 500)));
  EXPECT_FALSE(range_fits("test", file_of(100), ranged(101, {})));
  EXPECT_TRUE(range_fits("test", file_of(0), ranged(101, {})));  // only a read tells its size
}

TEST(ReportPlace, JsonAndTheBytesDoNotShareStandardOutput) {
  CommonArguments common;
  EXPECT_TRUE(report_has_a_place("test", common, true));
  common.report = ReportFormat::json;
  EXPECT_TRUE(report_has_a_place("test", common, false));
  EXPECT_FALSE(report_has_a_place("test", common, true));
  common.report_file = "report.json";
  EXPECT_TRUE(report_has_a_place("test", common, true));
}

TEST(MethodsExist, EveryNameIsLookedUp) {
  EXPECT_TRUE(methods_exist("test", {}));
  EXPECT_TRUE(methods_exist("test", {.methods = {"read_write", "sendfile"}}));
  EXPECT_FALSE(methods_exist("test", {.methods = {"read_write", "carrier_pigeon"}}));
  EXPECT_FALSE(methods_exist("test", {.methods = {""}}));
}

TEST(RefusedBefore, IsAReportWhereNoMethodMayStart) {
  const Wishes wishes{.methods = {"splice"}};  // neither end is a pipe
  const auto report = refused_before("test", file_of(100), file_of(0), wishes, Contract::live);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, Outcome::refused);
  EXPECT_EQ(report->command, "test");
  EXPECT_EQ(report->refused.size(), all_methods().size());
  EXPECT_EQ(report->bytes, 0U);
}

TEST(RefusedBefore, IsAbsentWhereOneMay) {
  EXPECT_FALSE(refused_before("test", file_of(100), file_of(0), {}, Contract::live));
  EXPECT_FALSE(refused_before("test", pipe(), file_of(0), {.methods = {"splice"}}, Contract::live));
}

}  // namespace
}  // namespace headrace::cli
