#include "transfer/source_state.hpp"

#include <gtest/gtest.h>

namespace headrace {
namespace {

using Kind = Change::Kind;

const SourceState before{.identity = {.device = 1, .inode = 2},
                         .size = 100,
                         .modified = {.seconds = 50, .nanoseconds = 7},
                         .changed = {.seconds = 60, .nanoseconds = 7},
                         .at_path = FileIdentity{.device = 1, .inode = 2}};

std::optional<Kind> kind_after(const SourceState& after) {
  const auto change = change_between(before, after);
  return change ? std::optional{change->kind} : std::nullopt;
}

TEST(ChangeBetween, IsAbsentBetweenEqualLooks) { EXPECT_EQ(kind_after(before), std::nullopt); }

TEST(ChangeBetween, SaysByHowMuchItGrew) {
  SourceState after = before;
  after.size = 117;
  const auto change = change_between(before, after);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->kind, Kind::grew);
  EXPECT_EQ(change->bytes, 17);
  EXPECT_EQ(describe(*change), "grew by 17 bytes");
}

TEST(ChangeBetween, SaysToWhatItShrank) {
  SourceState after = before;
  after.size = 5;
  const auto change = change_between(before, after);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->kind, Kind::shrank);
  EXPECT_EQ(describe(*change), "shrank to 5 bytes");
}

TEST(ChangeBetween, CallsAnotherMtimeOverwrittenToTheNanosecond) {
  SourceState after = before;
  ++after.modified.nanoseconds;
  EXPECT_EQ(kind_after(after), Kind::overwritten);
}

TEST(ChangeBetween, CallsAnOlderMtimeOverwrittenToo) {
  SourceState after = before;
  after.modified.seconds = 1;
  EXPECT_EQ(kind_after(after), Kind::overwritten);
}

TEST(ChangeBetween, CallsAnotherCtimeAloneTouched) {
  SourceState after = before;
  ++after.changed.nanoseconds;
  EXPECT_EQ(kind_after(after), Kind::touched);
}

TEST(ChangeBetween, CallsAnotherFileAtThePathReplaced) {
  SourceState after = before;
  after.at_path = FileIdentity{.device = 1, .inode = 3};
  EXPECT_EQ(kind_after(after), Kind::replaced);
  after.at_path = FileIdentity{.device = 9, .inode = 2};
  EXPECT_EQ(kind_after(after), Kind::replaced);
}

TEST(ChangeBetween, CallsAPathThatLeadsNowhereReplaced) {
  SourceState after = before;
  after.at_path.reset();
  EXPECT_EQ(kind_after(after), Kind::replaced);
}

TEST(ChangeBetween, CallsAnotherFileBehindTheDescriptorReplaced) {
  SourceState after = before;
  after.identity.inode = 3;
  EXPECT_EQ(kind_after(after), Kind::replaced);
}

TEST(ChangeBetween, PutsReplacedBeforeTheSizeAndTheSizeBeforeTheTimes) {
  SourceState after = before;
  ++after.changed.seconds;
  EXPECT_EQ(kind_after(after), Kind::touched);
  ++after.modified.seconds;
  EXPECT_EQ(kind_after(after), Kind::overwritten);
  after.size = 101;
  EXPECT_EQ(kind_after(after), Kind::grew);
  after.size = 99;
  EXPECT_EQ(kind_after(after), Kind::shrank);
  after.at_path.reset();
  EXPECT_EQ(kind_after(after), Kind::replaced);
}

TEST(IsSettled, WantsTheTickOfTheLastChangeToBeOver) {
  EXPECT_FALSE(is_settled(before, {.seconds = 60, .nanoseconds = 7}));
  EXPECT_TRUE(is_settled(before, {.seconds = 60, .nanoseconds = 8}));
  EXPECT_TRUE(is_settled(before, {.seconds = 61, .nanoseconds = 0}));
}

TEST(IsSettled, BelievesNoClockThatWasSetBack) {
  EXPECT_FALSE(is_settled(before, {.seconds = 59, .nanoseconds = 0}));
}

TEST(IsSettled, WantsTwoSecondsWhereTheFileSystemCountsSeconds) {
  SourceState whole = before;
  whole.changed.nanoseconds = 0;
  EXPECT_FALSE(is_settled(whole, {.seconds = 61, .nanoseconds = 999}));
  EXPECT_TRUE(is_settled(whole, {.seconds = 62, .nanoseconds = 0}));
}

TEST(CountsSeconds, KnowsItByACtimeWithoutNanoseconds) {
  EXPECT_FALSE(counts_seconds(before));
  SourceState whole = before;
  whole.changed.nanoseconds = 0;
  EXPECT_TRUE(counts_seconds(whole));
}

TEST(FineTimes, AreThereFromLinux613OnWhereTheFileSystemHasThem) {
  EXPECT_TRUE(has_fine_times("6.13.0", "ext4"));
  EXPECT_TRUE(has_fine_times("6.18.44-fc", "tmpfs"));
  EXPECT_TRUE(has_fine_times("7.0-rc1", "btrfs"));
  EXPECT_FALSE(has_fine_times("6.12.99", "ext4"));
  EXPECT_FALSE(has_fine_times("6.1.0", "xfs"));
  EXPECT_FALSE(has_fine_times("5.19", "xfs"));
  EXPECT_FALSE(has_fine_times("6.18.0", "vfat"));
  EXPECT_FALSE(has_fine_times("strange", "ext4"));
  EXPECT_FALSE(has_fine_times("", "ext4"));
}

TEST(LookAt, SeesThePathOnlyWhereThereIsOne) {
  const auto zero = look_at(DescriptorRef{0}, "");
  if (!zero) GTEST_SKIP() << "no standard input";
  EXPECT_FALSE(zero->at_path);
}

TEST(LookAt, FailsWithTheCallThatFailed) {
  const auto state = look_at(DescriptorRef{}, "");
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().call, "fstat");
}

}  // namespace
}  // namespace headrace
