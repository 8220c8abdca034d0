#include "transfer/overlap.hpp"

#include <gtest/gtest.h>

namespace headrace {
namespace {

/// A job from `offset` to `position` within one file of 1000 bytes.
Job within_one_file(Bytes offset, std::optional<Bytes> bytes, Bytes position) {
  Job job{.offset = offset, .bytes = bytes};
  job.source_facts = {.kind = Kind::regular, .size = 1000, .device = 1, .inode = 2};
  job.destination_facts = job.source_facts;
  job.destination_facts.position = position;
  return job;
}

Job appending(Bytes offset, std::optional<Bytes> bytes) {
  Job job = within_one_file(offset, bytes, 0);
  job.destination_facts.appends = true;
  return job;
}

TEST(RangesOverlap, WhereOneStartsInsideTheOther) {
  EXPECT_TRUE(ranges_overlap(within_one_file(0, 100, 0)));
  EXPECT_TRUE(ranges_overlap(within_one_file(0, 100, 99)));
  EXPECT_TRUE(ranges_overlap(within_one_file(99, 100, 0)));
  EXPECT_TRUE(ranges_overlap(within_one_file(500, 100, 450)));
}

TEST(RangesOverlap, NotWhereTheyOnlyTouch) {
  EXPECT_FALSE(ranges_overlap(within_one_file(0, 100, 100)));
  EXPECT_FALSE(ranges_overlap(within_one_file(100, 100, 0)));
  EXPECT_FALSE(ranges_overlap(within_one_file(0, 100, 5000)));
}

TEST(RangesOverlap, NothingOverlapsNothing) {
  EXPECT_FALSE(ranges_overlap(within_one_file(5, 0, 5)));
}

TEST(RangesOverlap, WithoutALengthTheyGoOnForEver) {
  EXPECT_TRUE(ranges_overlap(within_one_file(0, std::nullopt, 1'000'000)));
  EXPECT_TRUE(ranges_overlap(within_one_file(everything - 1, std::nullopt, 0)));
  EXPECT_TRUE(ranges_overlap(appending(0, std::nullopt)));
}

TEST(RangesOverlap, AppendedBytesGoToTheEnd) {
  EXPECT_FALSE(ranges_overlap(appending(0, 1000)));
  EXPECT_FALSE(ranges_overlap(appending(900, 100)));
  EXPECT_TRUE(ranges_overlap(appending(0, 1001)));
  EXPECT_TRUE(ranges_overlap(appending(999, 2)));
}

TEST(RangesOverlap, AStreamIsReadAtItsPosition) {
  Job job = within_one_file(0, 100, 350);
  job.offset.reset();
  job.source_facts.position = 300;
  EXPECT_TRUE(ranges_overlap(job));
  job.source_facts.position = 250;
  EXPECT_FALSE(ranges_overlap(job));
}

TEST(RangesOverlap, LengthsNearTheLargestDoNotWrapRound) {
  EXPECT_TRUE(ranges_overlap(within_one_file(10, everything - 5, 0)));
  EXPECT_TRUE(ranges_overlap(within_one_file(everything, everything, 1)));
}

TEST(RangesOverlap, NotBetweenTwoFiles) {
  Job job = within_one_file(0, 100, 0);
  job.destination_facts.inode = 3;
  EXPECT_FALSE(ranges_overlap(job));
  job = within_one_file(0, 100, 0);
  job.destination_facts.device = 9;
  EXPECT_FALSE(ranges_overlap(job));
}

TEST(RangesOverlap, OnlyWhatHasOffsetsCan) {
  Job job = within_one_file(0, 100, 0);
  job.source_facts.kind = job.destination_facts.kind = Kind::pipe;
  EXPECT_FALSE(ranges_overlap(job));
  job.source_facts.kind = job.destination_facts.kind = Kind::block_device;
  EXPECT_TRUE(ranges_overlap(job));
}

}  // namespace
}  // namespace headrace
