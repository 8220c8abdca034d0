#include "transfer/shared_extents.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "support/cloning_file_system.hpp"
#include "support/deny.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using testing::open_file;

constexpr Bytes block = 4096;

/// Two files on a file system with shared extents: `copy` is empty.
struct Clones {
  Descriptor original;
  Descriptor copy;
};

class SharedExtentsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!place_.path()) GTEST_SKIP() << "no file system with shared extents can be had here";
  }

  [[nodiscard]] Clones files(std::size_t bytes) const {
    const auto& folder = *place_.path();
    Clones made{open_file(folder / "original", O_RDWR | O_CREAT | O_TRUNC),
                open_file(folder / "copy", O_RDWR | O_CREAT | O_TRUNC)};
    const std::string content = testing::random_bytes(bytes);
    testing::must(::write(made.original.ref().number(), content.data(), bytes), "write");
    testing::must(::fsync(made.original.ref().number()), "fsync");
    return made;
  }

  static void clone(const Clones& files, Bytes offset, Bytes bytes) {
    const struct file_clone_range range{.src_fd = files.original.ref().number(),
                                        .src_offset = offset,
                                        .src_length = bytes,
                                        .dest_offset = offset};
    testing::must(::ioctl(files.copy.ref().number(), FICLONERANGE, &range), "FICLONERANGE");
  }

 private:
  testing::CloningFileSystem place_;
};

TEST_F(SharedExtentsTest, ACloneSharesAll) {
  const Clones made = files(100 * block);
  EXPECT_EQ(shared_bytes(made.original.ref(), 0, everything), 0U);
  clone(made, 0, 100 * block);
  EXPECT_EQ(shared_bytes(made.original.ref(), 0, everything), 100 * block);
  EXPECT_EQ(shared_bytes(made.copy.ref(), 0, 100 * block), 100 * block);
}

TEST_F(SharedExtentsTest, CountsOnlyWhatIsAskedFor) {
  const Clones made = files(100 * block);
  clone(made, 0, 100 * block);
  EXPECT_EQ(shared_bytes(made.copy.ref(), 10, 20), 20U);
  EXPECT_EQ(shared_bytes(made.copy.ref(), 99 * block, everything), block);
  EXPECT_EQ(shared_bytes(made.copy.ref(), 200 * block, block), 0U);
  EXPECT_EQ(shared_bytes(made.copy.ref(), 5, 0), 0U);
}

TEST_F(SharedExtentsTest, WhatIsWrittenOverIsSharedNoMore) {
  const Clones made = files(100 * block);
  clone(made, 0, 100 * block);
  const std::string other = testing::random_bytes(10 * block, 2);
  testing::must(::pwrite(made.copy.ref().number(), other.data(), other.size(), 20 * block),
                "pwrite");
  testing::must(::fsync(made.copy.ref().number()), "fsync");
  EXPECT_EQ(shared_bytes(made.copy.ref(), 0, everything), 90 * block);
}

// More extents than one call tells of: every other block is cloned.
TEST_F(SharedExtentsTest, GoesThroughManyExtents) {
  constexpr Bytes pairs = 700;
  const Clones made = files(2 * pairs * block);
  for (Bytes i = 0; i < pairs; ++i) clone(made, 2 * i * block, block);
  EXPECT_EQ(shared_bytes(made.copy.ref(), 0, everything), pairs * block);
  EXPECT_EQ(shared_bytes(made.original.ref(), 0, everything), pairs * block);
}

TEST(SharedBytes, AreUnknownWhereTheFileSystemDoesNotSay) {
  const int memory = testing::must(::memfd_create("memory", MFD_CLOEXEC), "memfd_create");
  const Descriptor file{memory};
  EXPECT_EQ(shared_bytes(file.ref(), 0, everything), std::nullopt);
}

TEST(SharedBytes, AreUnknownWhereTheCallIsRefused) {
  for (const int number : {EOPNOTSUPP, ENOTTY, EPERM, EINTR, EIO}) {
    EXPECT_EQ(testing::run_in_child([&] {
                const Descriptor file = file_holding("abc");
                testing::deny_call(SYS_ioctl, number);
                return shared_bytes(file.ref(), 0, 3) ? 1 : 0;
              }),
              0)
        << number;
  }
}

// The kernel answers within its bounds, and so does a file of which it says nothing.
TEST(SharedBytes, AnAnswerWithoutExtentsEndsIt) {
  const int status = testing::run_denied({testing::faked(SYS_ioctl, 0)}, [] {
    const Descriptor file = file_holding("abc");
    return shared_bytes(file.ref(), 0, everything) == 0U ? 0 : 1;
  });
  if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headrace
