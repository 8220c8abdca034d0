#include <linux/falloc.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>

#include "support/deny.hpp"
#include "transfer/extents_testing.hpp"

// A source that is truncated, punched, filled and grown while its runs are asked for: each run has
// a byte and keeps its bounds, and the walk ends.
namespace headrace {
namespace {

using extents_testing::block;
using extents_testing::data;
using extents_testing::full_block;
using extents_testing::hole;
using extents_testing::sparse_file;
using extents_testing::walk;

constexpr Bytes blocks = 64;

void punch(const Descriptor& file, Bytes offset, Bytes bytes) {
  // A file system without it just has no such change.
  static_cast<void>(::fallocate(file.ref().number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                static_cast<off_t>(offset), static_cast<off_t>(bytes)));
}

void fill(const Descriptor& file, Bytes offset) {
  const std::string bytes = full_block();
  testing::must(
      ::pwrite(file.ref().number(), bytes.data(), bytes.size(), static_cast<off_t>(offset)),
      "pwrite");
}

void resize(const Descriptor& file, Bytes size) {
  testing::must(::ftruncate(file.ref().number(), static_cast<off_t>(size)), "ftruncate");
}

void change(const Descriptor& file, std::mt19937_64& random) {
  const Bytes at = random() % blocks * block;
  const auto kind = random() % 4;
  if (kind == 0) punch(file, at, block * (1 + random() % 8));
  if (kind == 1) resize(file, at + random() % block);
  if (kind == 2) resize(file, 2 * blocks * block);
  if (kind == 3) fill(file, at);
}

TEST(ExtentsOfAChangingFile, EndAndStayInBoundsBetweenChanges) {
  for (const Sparse sparse : {Sparse::automatic, Sparse::always}) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      std::mt19937_64 random(seed);
      const Descriptor file = sparse_file(blocks * block);
      Extents extents(file.ref(), sparse);
      for (Bytes from = 0; from < blocks * block;) {
        change(file, random);
        const Extent run = extents.next(from, blocks * block);
        ASSERT_GT(run.bytes, 0U) << "seed " << seed;
        ASSERT_LE(run.bytes, blocks * block - from) << "seed " << seed;
        from += run.bytes;
      }
    }
  }
}

TEST(ExtentsOfAChangingFile, EndAndStayInBoundsUnderAThreadThatChangesIt) {
  for (const Sparse sparse : {Sparse::automatic, Sparse::always}) {
    const Descriptor file = sparse_file(blocks * block);
    std::atomic<bool> over = false;
    const std::jthread changer([&] {
      for (std::mt19937_64 random(7); !over;) change(file, random);
    });
    for (int round = 0; round < 300; ++round) {
      Extents extents(file.ref(), sparse);
      ASSERT_LE(walk(extents, 0, blocks * block).size(), blocks);
    }
    over = true;
  }
}

TEST(ExtentsOfAChangingFile, WhatWasCutOffIsNoHole) {
  const Descriptor file = sparse_file(8 * block, {{0, full_block()}});
  Extents extents(file.ref(), Sparse::automatic);
  EXPECT_EQ(extents.next(0, 8 * block), data(block));
  resize(file, 2 * block);
  EXPECT_EQ(extents.next(block, 8 * block), hole(block));
  EXPECT_EQ(extents.next(2 * block, 8 * block), data(6 * block));
}

TEST(ExtentsOfAChangingFile, DataThatCameIntoAHoleAheadIsFound) {
  if (!extents_testing::keeps_holes()) GTEST_SKIP() << "no holes of 4 KiB here";
  const Descriptor file = sparse_file(8 * block, {{0, full_block()}, {4 * block, full_block()}});
  Extents extents(file.ref(), Sparse::automatic);
  EXPECT_EQ(extents.next(0, 8 * block), data(block));
  fill(file, 2 * block);
  EXPECT_EQ(extents.next(block, 8 * block), hole(block));
  EXPECT_EQ(extents.next(2 * block, 8 * block), data(block));
}

}  // namespace
}  // namespace headrace
