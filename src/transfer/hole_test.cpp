#include "transfer/hole.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "support/deny.hpp"
#include "transfer/extents_testing.hpp"
#include "transfer/transfer_testing.hpp"

namespace headrace {
namespace {

using extents_testing::block;
using extents_testing::zeros;
using testing::file_holding;
using transfer_testing::seek;

Bytes allocated(const Descriptor& file) { return probe(file.ref()).value().allocated; }
Bytes size_of(const Descriptor& file) { return probe(file.ref()).value().size; }

void write_to(const Descriptor& file, const std::string& bytes) {
  testing::must(::write(file.ref().number(), bytes.data(), bytes.size()), "write");
}

bool made(const Descriptor& file, Bytes bytes) { return make_hole(file.ref(), bytes).value(); }

TEST(MakeHole, BehindTheEndOnlyThePositionMoves) {
  const Descriptor file = file_holding("abc");
  seek(file, 3);
  EXPECT_TRUE(made(file, 5 * gibibyte));
  EXPECT_EQ(testing::offset_of(file), 5 * gibibyte + 3);
  EXPECT_EQ(size_of(file), 3U);
}

TEST(MakeHole, DataGoesOnBehindIt) {
  const Descriptor file = file_holding("");
  write_to(file, "ab");
  EXPECT_TRUE(made(file, 100'000));
  write_to(file, "cd");
  EXPECT_EQ(testing::read_all(file), "ab" + zeros(100'000) + "cd");
  EXPECT_LT(allocated(file), 100'000U);
}

TEST(EndFile, GivesTheFileItsTrailingHole) {
  const Descriptor file = file_holding("ab");
  seek(file, 2);
  EXPECT_TRUE(made(file, gibibyte));
  EXPECT_TRUE(end_file(file.ref()));
  EXPECT_EQ(size_of(file), gibibyte + 2);
  EXPECT_LT(allocated(file), mebibyte);
  EXPECT_EQ(testing::offset_of(file), gibibyte + 2);
}

TEST(EndFile, CutsNothingOff) {
  const Descriptor file = file_holding("abcdef");
  seek(file, 2);
  EXPECT_TRUE(end_file(file.ref()));
  EXPECT_EQ(testing::read_all(file), "abcdef");
}

TEST(EndFile, LeavesAloneWhatHasNoEnd) {
  const auto pipe = testing::open_pipe();
  EXPECT_TRUE(end_file(pipe.writer.ref()));
  EXPECT_TRUE(end_file(testing::open_file("/dev/null", O_WRONLY).ref()));
}

TEST(EndFile, TellsThatAFileCannotGrowSoFar) {
  EXPECT_EQ(testing::run_in_child([] {
              const Descriptor file = file_holding("");
              testing::deny_call(SYS_ftruncate, EFBIG);
              if (!made(file, gibibyte)) return 2;
              const auto ended = end_file(file.ref());
              return !ended && ended.error().code.value() == EFBIG ? 0 : 1;
            }),
            0);
}

TEST(MakeHole, OldContentIsPunched) {
  const std::string old = testing::random_bytes(100 * block);
  const Descriptor file = file_holding(old);
  const Bytes before = allocated(file);
  seek(file, 10 * block + 1);
  EXPECT_TRUE(made(file, 50 * block));
  EXPECT_EQ(testing::offset_of(file), 60 * block + 1);
  EXPECT_EQ(testing::read_all(file),
            old.substr(0, 10 * block + 1) + zeros(50 * block) + old.substr(60 * block + 1));
  EXPECT_EQ(before - allocated(file), 49 * block);
}

TEST(MakeHole, PunchesToTheEndAndGoesOnBehindIt) {
  const Descriptor file = file_holding(testing::random_bytes(4 * block));
  seek(file, block);
  EXPECT_TRUE(made(file, 10 * block));
  EXPECT_EQ(size_of(file), 4 * block);
  EXPECT_TRUE(end_file(file.ref()));
  EXPECT_EQ(testing::read_all(file).substr(block), zeros(10 * block));
}

TEST(MakeHole, IsNotForFilesThatAppendNorForWhatIsNoFile) {
  const testing::TemporaryFolder folder;
  const Descriptor file = testing::open_file(folder.file("a", "abc"), O_WRONLY | O_APPEND);
  EXPECT_FALSE(made(file, 10));
  EXPECT_TRUE(end_file(file.ref()));
  EXPECT_EQ(size_of(file), 3U);
  const auto pipe = testing::open_pipe();
  EXPECT_FALSE(made(pipe.writer, 10));
  EXPECT_FALSE(made(testing::open_file("/dev/zero", O_RDWR), 10));
}

TEST(MakeHole, IsRefusedBeyondWhatAnOffsetCanSay) {
  const Descriptor file = file_holding("abc");
  seek(file, 3);
  EXPECT_FALSE(made(file, everything));
  EXPECT_FALSE(made(file, Bytes{1} << 63));
  EXPECT_EQ(testing::offset_of(file), 3U);
}

TEST(MakeHole, WherePunchingIsNotOfferedTheZerosAreToBeWritten) {
  for (const int number : {EOPNOTSUPP, ENOSYS, EPERM, EINVAL, ENOSPC, EINTR}) {
    EXPECT_EQ(testing::run_in_child([&] {
                testing::deny_call(SYS_fallocate, number);
                const Descriptor file = file_holding("abcdef");
                seek(file, 1);
                const bool unchanged = !made(file, 3) && testing::offset_of(file) == 1;
                return unchanged && testing::read_all(file) == "abcdef" ? 0 : 1;
              }),
              0)
        << number;
  }
}

TEST(MakeHole, BehindTheEndItNeedsNoPunching) {
  for (const int number : {EOPNOTSUPP, ENOSYS, EPERM, EINVAL, ENOSPC, EINTR}) {
    EXPECT_EQ(testing::run_in_child([&] {
                testing::deny_call(SYS_fallocate, number);
                const Descriptor file = file_holding("abc");
                seek(file, 3);
                return made(file, gibibyte) && testing::offset_of(file) == gibibyte + 3 ? 0 : 1;
              }),
              0)
        << number;
  }
}

TEST(MakeHole, AFailureForGoodIsTold) {
  EXPECT_EQ(testing::run_in_child([] {
              testing::deny_call(SYS_fallocate, EIO);
              const Descriptor file = file_holding("abcdef");
              seek(file, 1);
              const auto answer = make_hole(file.ref(), 3);
              return !answer && answer.error().call == "fallocate" ? 0 : 1;
            }),
            0);
}

}  // namespace
}  // namespace headrace
