#include "methods/support/transit_pipe.hpp"

#include <gtest/gtest.h>

#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/limits.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using testing::read_all;

TEST(TransitPipe, CountsWhatItHolds) {
  const Descriptor source = file_holding("0123456789");
  const Descriptor destination = file_holding("");
  auto pipe = TransitPipe::open(65536);
  ASSERT_TRUE(pipe);
  EXPECT_EQ(pipe->held(), 0U);
  EXPECT_EQ(pipe->fill(source.ref(), Bytes{2}, 4).value_or(0), 4U);
  EXPECT_EQ(pipe->fill(source.ref(), Bytes{6}, 100).value_or(0), 4U);
  EXPECT_EQ(pipe->held(), 8U);
  EXPECT_EQ(pipe->drain(destination.ref()).value_or(0), 8U);
  EXPECT_EQ(pipe->held(), 0U);
  EXPECT_EQ(read_all(destination), "23456789");
}

TEST(TransitPipe, AnswersZeroAtTheEndOfTheSource) {
  const Descriptor source = file_holding("");
  auto pipe = TransitPipe::open(65536);
  ASSERT_TRUE(pipe);
  const auto step = pipe->fill(source.ref(), Bytes{0}, 100);
  ASSERT_TRUE(step);
  EXPECT_EQ(*step, 0U);
}

TEST(TransitPipe, KeepsWhatItHoldsWhenTheDestinationIsFull) {
  const Descriptor source = file_holding("kept");
  const auto full = testing::open_pipe(testing::Mode::nonblocking);
  testing::fill(full.writer.ref());
  auto pipe = TransitPipe::open(65536);
  ASSERT_TRUE(pipe);
  ASSERT_TRUE(pipe->fill(source.ref(), Bytes{0}, 4));
  const auto step = pipe->drain(full.writer.ref());
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().code, std::errc::resource_unavailable_try_again);
  EXPECT_EQ(pipe->held(), 4U);
}

TEST(TransitPipe, NeverSleepsWhenItIsFullItself) {
  const Descriptor source = file_holding(std::string(100'000, 'x'));
  auto pipe = TransitPipe::open(4096);
  ASSERT_TRUE(pipe);
  EXPECT_EQ(pipe->capacity(), 4096U);
  EXPECT_EQ(pipe->fill(source.ref(), Bytes{0}, 100'000).value_or(0), 4096U);
  const auto step = pipe->fill(source.ref(), Bytes{4096}, 100);
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().code, std::errc::resource_unavailable_try_again);
}

TEST(TransitPipe, IsGivenTheCapacityItAsksForOrSaysWhatItHas) {
  auto asked = TransitPipe::open(131072);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->capacity(), 131072U);
  for (const Bytes greedy : {Bytes{1} << 32, (Bytes{1} << 32) + 4096, everything}) {
    auto pipe = TransitPipe::open(greedy);
    ASSERT_TRUE(pipe);
    EXPECT_GE(pipe->capacity(), 8192U) << "not cut to 32 bits";
    EXPECT_LT(pipe->capacity(), greedy);
  }
}

TEST(TransitPipe, SaysWhyThereIsNone) {
  const int status = testing::run_in_child([] {
    testing::limit_open_files(0);
    const auto pipe = TransitPipe::open(65536);
    return !pipe && pipe.error().code == std::errc::too_many_files_open ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST(TransitPipe, ClosesBothEnds) {
  const std::size_t before = testing::open_descriptors();
  {
    const auto pipe = TransitPipe::open(65536);
    ASSERT_TRUE(pipe);
    EXPECT_EQ(testing::open_descriptors(), before + 2);
  }
  EXPECT_EQ(testing::open_descriptors(), before);
}

TEST(TransitPipe, AnAnswerThatCannotBeTrueIsNotCountedAsHeld) {
  const int status = testing::run_denied({testing::faked(SYS_splice, 1'000'000)}, [] {
    const Descriptor source = file_holding("x");
    auto pipe = TransitPipe::open(65536);
    const auto step = pipe->fill(source.ref(), Bytes{0}, 1);
    return step && *step == 1'000'000 && pipe->held() == 0 ? 0 : 1;
  });
  if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headrace
