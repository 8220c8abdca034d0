#include "methods/mmap_read/room.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "methods/mmap_read/engine.hpp"
#include "support/at_call.hpp"
#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/limits.hpp"
#include "support/must.hpp"
#include "support/shared_progress.hpp"
#include "support/temporary.hpp"
#include "sys/mapping.hpp"

namespace headrace {
namespace {

using testing::errno_of;
using testing::file_holding;
using testing::job_between;
using testing::job_of;
using testing::must;
using testing::random_bytes;
using testing::read_all;
using testing::SharedProgress;

void cut(const Descriptor& file, Bytes size) {
  ASSERT_EQ(::ftruncate(file.ref().number(), static_cast<off_t>(size)), 0);
}

TEST(Room, TakesBackWhatItAddedAndNothingElse) {
  const Descriptor file = file_holding("old content");
  Room room(file.ref());
  ASSERT_TRUE(room.make(3, 10'000));
  EXPECT_EQ(*room.size(), 10'000U);
  ASSERT_TRUE(room.give_back(5));
  EXPECT_EQ(read_all(file), "old content");
  ASSERT_TRUE(room.make(5, 10'000));
  ASSERT_TRUE(room.give_back(100));
  EXPECT_EQ(*room.size(), 100U);
}

TEST(Room, LeavesAFileAloneThatSomebodyElseHasExtended) {
  const Descriptor file = file_holding("");
  Room room(file.ref());
  ASSERT_TRUE(room.make(0, 1'000));
  cut(file, 2'000);
  ASSERT_TRUE(room.give_back(10));
  EXPECT_EQ(*room.size(), 2'000U);
}

TEST(Room, LeavesWhatSomebodyElseAppendsWhileItIsMade) {
  for (const int refused : {0, ENOSPC}) {
    SCOPED_TRACE(refused);
    const Descriptor file = file_holding("");
    const int status = testing::run_until(
        {SYS_fallocate, file.ref()}, [&] { cut(file, 2'000); },
        [&] {
          if (refused != 0) testing::deny_call(SYS_fallocate, refused);
          Room room(file.ref());
          if (room.make(0, 1'000).has_value() != (refused == 0)) return 1;
          return room.give_back(10) ? 0 : 2;
        });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_all(file).size(), 2'000U);
  }
}

TEST(Room, NoticesThatSomebodyElseHasCutTheFile) {
  const Descriptor file = file_holding("");
  Room room(file.ref());
  ASSERT_TRUE(room.make(0, 1'000));
  cut(file, 10);
  const auto more = room.make(1'000, 2'000);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code.value(), ESTALE);
  EXPECT_FALSE(room.give_back(1'000));
  EXPECT_EQ(*room.size(), 10U);
}

TEST(Room, IsMadeBySizeAloneWhereTheFileSystemPromisesNothing) {
  for (const int number : {EOPNOTSUPP, ENOSYS, EINVAL}) {
    const Descriptor file = file_holding("old");
    const int status = testing::run_in_child([&] {
      testing::deny_call(SYS_fallocate, number);
      Room room(file.ref());
      if (!room.make(1, 1'000) || *room.size() != 1'000) return 1;
      if (!room.make(1, 500) || *room.size() != 1'000) return 2;  // never shorter
      return room.give_back(3) ? 0 : 3;
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_all(file), "old");
  }
}

// --- A file that cannot grow ---------------------------------------------------------------------

TEST(MmapReadEngine, ALimitOfTheFileSizeIsReachedToTheByte) {
  const Bytes page = sys::page_size();
  const std::string content = random_bytes(10 * page);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  const SharedProgress progress;
  testing::run_in_child([&] {
    testing::limit_file_size(4 * page + 5);
    return progress.keep(
        MmapReadEngine(job_of(source, destination, content.size())).advance(everything));
  });
  EXPECT_EQ(progress->ending, Ending::failed);
  EXPECT_EQ(errno_of(*progress), EFBIG);
  EXPECT_EQ(progress->moved, 4 * page + 5);
  EXPECT_TRUE(read_all(destination) == content.substr(0, 4 * page + 5));
}

TEST(MmapReadEngine, ALimitThatHoldsTheContentIsEnough) {
  testing::Pipe pipe = testing::open_pipe();
  ASSERT_EQ(::write(pipe.writer.ref().number(), "enough", 6), 6);
  pipe.writer = Descriptor{};
  const Descriptor destination = file_holding("");
  const SharedProgress progress;
  testing::run_in_child([&] {
    testing::limit_file_size(20'000);
    return progress.keep(MmapReadEngine(job_between(pipe.reader, destination)).advance(everything));
  });
  EXPECT_EQ(progress->ending, Ending::finished);
  EXPECT_EQ(read_all(destination), "enough");
}

constexpr Bytes disk_size = 64 * kibibyte;

// For a child: a disk that nobody else sees and that is gone with it.
Descriptor file_on_a_small_disk(const testing::TemporaryFolder& folder) {
  must(::unshare(CLONE_NEWNS), "unshare");
  must(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "mount");
  must(::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k"), "mount");
  return testing::open_file(folder / "file", O_RDWR | O_CREAT);
}

// What came to be in a child whose disk is full: 0 where all is as it should be.
int fill_small_disk(const testing::TemporaryFolder& folder, const std::string& content,
                    const SharedProgress& progress, bool reserve) {
  const Descriptor destination = file_on_a_small_disk(folder);
  if (!reserve) testing::deny_call(SYS_fallocate, EOPNOTSUPP);
  const Descriptor source = file_holding(content);
  progress.keep(MmapReadEngine(job_of(source, destination, content.size())).advance(everything));
  if (testing::offset_of(destination) != progress->moved) return 1;
  return read_all(destination) == content.substr(0, progress->moved) ? 0 : 2;
}

TEST(MmapReadEngine, AFullDiskIsAClearFailureAndNoSignal) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can mount a small disk";
  const std::string content = random_bytes(3 * disk_size);
  for (const bool reserve : {true, false}) {
    SCOPED_TRACE(reserve ? "reserved" : "not reserved");
    const testing::TemporaryFolder folder;
    const SharedProgress progress;
    const int status =
        testing::run_in_child([&] { return fill_small_disk(folder, content, progress, reserve); });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(progress->ending, Ending::failed);
    EXPECT_EQ(errno_of(*progress), ENOSPC);
    EXPECT_EQ(progress->moved, disk_size) << "to its last block";
  }
}

// --- A destination that somebody else cuts
// --------------------------------------------------------

TEST(CutDestination, DuringAReadIsAFailureAndNoSignal) {
  const Bytes page = sys::page_size();
  const std::string content = random_bytes(3 * page);
  for (const Bytes left : {Bytes{0}, Bytes{10}, page, 2 * page + 1}) {
    SCOPED_TRACE(left);
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding("");
    const SharedProgress progress;
    const int status = testing::run_until(
        {SYS_pread64, source.ref()}, [&] { cut(destination, left); },
        [&] {
          return progress.keep(
              MmapReadEngine(job_of(source, destination, content.size())).advance(everything));
        });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(progress->ending, Ending::failed);
    ASSERT_TRUE(progress->error);
    EXPECT_EQ(progress->error->call, "mmap");
    EXPECT_EQ(errno_of(*progress), ESTALE);
    EXPECT_EQ(progress->stranded, 0U) << "a file can be read again";
  }
}

TEST(CutDestination, CountsWhatAStreamHasLost) {
  testing::Pipe pipe = testing::open_pipe(testing::Mode::nonblocking);
  ASSERT_EQ(::write(pipe.writer.ref().number(), "lost", 4), 4);
  const Descriptor destination = file_holding("");
  const SharedProgress progress;
  testing::run_until(
      {SYS_read, pipe.reader.ref()}, [&] { cut(destination, 2); },
      [&] {
        return progress.keep(
            MmapReadEngine(job_between(pipe.reader, destination)).advance(everything));
      });
  EXPECT_EQ(progress->ending, Ending::failed);
  EXPECT_EQ(progress->moved, 0U);
  EXPECT_EQ(progress->stranded, 4U) << "part of the last page, which the file no longer holds";
}

TEST(CutDestination, BetweenTwoTurnsIsAFailureWithANote) {
  const std::string content = random_bytes(20'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  MmapReadEngine engine(job_of(source, destination, content.size()));
  ASSERT_EQ(engine.advance(5'000).moved, 5'000U);
  cut(destination, 100);
  const Progress progress = engine.advance(everything);
  EXPECT_EQ(progress.ending, Ending::failed);
  EXPECT_EQ(errno_of(progress), ESTALE);
  EXPECT_EQ(engine.notes().size(), 2U);
  EXPECT_EQ(read_all(destination), content.substr(0, 100));
}

TEST(CutDestination, IsTheOnlyExcuseForAMissingPageButAFullDisk) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  const SharedProgress progress;
  const auto denial = testing::denied(SYS_pread64, EFAULT)
                          .where(0, static_cast<std::uint32_t>(source.ref().number()));
  testing::run_denied({denial}, [&] {
    return progress.keep(MmapReadEngine(job_of(source, destination, 1)).advance(everything));
  });
  if (progress->calls == 0) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(progress->ending, Ending::failed);
  EXPECT_EQ(progress->error->call, "pread");
  EXPECT_EQ(errno_of(*progress), EFAULT);
  EXPECT_EQ(read_all(destination), "");
}

}  // namespace
}  // namespace headrace
