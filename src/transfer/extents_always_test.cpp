#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "support/deny.hpp"
#include "transfer/extents_testing.hpp"

// Sparse::always: blocks of zeros are found by reading.
namespace headrace {
namespace {

using extents_testing::block;
using extents_testing::data;
using extents_testing::full_block;
using extents_testing::hole;
using extents_testing::Runs;
using extents_testing::runs_of;
using extents_testing::sparse_file;
using extents_testing::walk;
using extents_testing::zeros;
using testing::file_holding;

Runs always(const Descriptor& file, Bytes from, Bytes end, Bytes block_start = 0) {
  return runs_of(file, from, end, Sparse::always, block_start);
}

TEST(ExtentsAlways, FindsBlocksOfZerosInWrittenBytes) {
  const auto file = file_holding(zeros(block) + full_block(2) + zeros(3 * block) + full_block());
  EXPECT_EQ(always(file, 0, 7 * block),
            (Runs{hole(block), data(2 * block), hole(3 * block), data(block)}));
}

TEST(ExtentsAlways, LessThanABlockOfZerosIsData) {
  const auto file = file_holding("x" + zeros(2 * block - 2) + "x");
  EXPECT_EQ(always(file, 0, 2 * block), Runs{data(2 * block)});
}

TEST(ExtentsAlways, OneByteInABlockMakesItData) {
  for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{2047}, block - 1}) {
    std::string content = zeros(3 * block);
    content[block + at] = '\1';
    EXPECT_EQ(always(file_holding(content), 0, 3 * block),
              (Runs{hole(block), data(block), hole(block)}))
        << at;
  }
}

TEST(ExtentsAlways, AShortLastBlockOfZerosIsAHole) {
  EXPECT_EQ(always(file_holding(full_block() + zeros(100)), 0, block + 100),
            (Runs{data(block), hole(100)}));
}

// A range that begins at 100 of the source and is written to 0: blocks begin at 100.
TEST(ExtentsAlways, BlocksAreThoseOfTheDestination) {
  const auto file = file_holding(full_block() + zeros(100 + 2 * block - 100) + full_block());
  EXPECT_EQ(always(file, 100, 4 * block), (Runs{data(block - 100), hole(2 * block), data(block)}));
  EXPECT_EQ(always(file, 100, 4 * block, 100),
            (Runs{data(block), hole(block), data(2 * block - 100)}));
  EXPECT_EQ(always(file, 100, 4 * block, 100 + 3 * block),
            (Runs{data(block), hole(block), data(2 * block - 100)}));
}

TEST(ExtentsAlways, HolesAreNotRead) {
  if (!extents_testing::keeps_holes()) GTEST_SKIP() << "no holes of 4 KiB here";
  const auto file = sparse_file(5 * gibibyte, {{gibibyte, full_block()}});
  Extents extents(file.ref(), Sparse::always);
  EXPECT_EQ(walk(extents, 0, 5 * gibibyte),
            (Runs{hole(gibibyte), data(block), hole(4 * gibibyte - block)}));
  EXPECT_EQ(extents.read(), block);
}

TEST(ExtentsAlways, ReadsEachByteOnceHoweverShortTheRunsAre) {
  std::string content;
  for (int i = 0; i < 300; ++i) content += full_block() + zeros(block);
  const auto file = file_holding(content);
  Extents extents(file.ref(), Sparse::always);
  EXPECT_EQ(walk(extents, 0, content.size()).size(), 600U);
  EXPECT_EQ(extents.read(), content.size());
}

TEST(ExtentsAlways, LongRunsStayLongAndBounded) {
  constexpr Bytes longest = 8 * mebibyte;
  const auto file = file_holding(std::string(20 * mebibyte, 'x'));
  EXPECT_EQ(always(file, 0, 20 * mebibyte),
            (Runs{data(longest), data(longest), data(4 * mebibyte)}));
}

TEST(ExtentsAlways, WhatCannotBeReadIsData) {
  for (const int number : {EIO, EINTR, EAGAIN}) {
    EXPECT_EQ(testing::run_in_child([&] {
                const auto file = file_holding(zeros(9 * block));
                testing::deny_call(SYS_pread64, number);
                return always(file, 0, 9 * block) == Runs{data(9 * block)} ? 0 : 1;
              }),
              0)
        << number;
  }
}

TEST(ExtentsAlways, ShortReadsAreReadOn) {
  const int status = testing::run_denied({testing::shortened(SYS_pread64, 1000)}, [] {
    const auto file = file_holding(zeros(2 * block) + full_block());
    return always(file, 0, 3 * block) == Runs{hole(2 * block), data(block)} ? 0 : 1;
  });
  if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headrace
