#include "transfer/read_ahead.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

constexpr Bytes window = 32 * mebibyte;
constexpr Bytes size = 3 * window + 5;

constexpr Method by_kernel{.name = "by_kernel", .path_class = PathClass::kernel};
constexpr Method by_cloning{.name = "by_cloning", .path_class = PathClass::shared};

/// Holes with a block of data at each fourth, written to the disk and dropped from memory.
Descriptor cold_file() {
  Descriptor file = testing::file_holding("");
  const int number = file.ref().number();
  testing::must(::ftruncate(number, static_cast<off_t>(size)), "ftruncate");
  const std::string block = testing::random_bytes(4096);
  for (Bytes at = 0; at < size; at += size / 4) {
    testing::must(::pwrite(number, block.data(), block.size(), static_cast<off_t>(at)), "pwrite");
  }
  testing::must(::fsync(number), "fsync");
  testing::must(::posix_fadvise(number, 0, 0, POSIX_FADV_DONTNEED), "posix_fadvise");
  return file;
}

void read_through(const Descriptor& file) {
  std::vector<char> buffer(mebibyte);
  for (Bytes at = 0; at < size; at += buffer.size()) {
    testing::must(
        ::pread(file.ref().number(), buffer.data(), buffer.size(), static_cast<off_t>(at)),
        "pread");
  }
}

/// A job into a pipe.
Job job_from(const Descriptor& source, const testing::Pipe& pipe, Bytes offset = 0) {
  Job job = testing::job_between(source, pipe.writer);
  job.offset = offset;
  job.bytes = size - offset;
  return job;
}

bool reads_ahead(const Method& method, const Job& job) {
  return ReadAhead(method, job).turn() != everything;
}

class ReadAheadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto pipe = testing::open_pipe();
    if (!reads_ahead(by_kernel, job_from(cold_file(), pipe)))
      GTEST_SKIP() << "what is in memory is not told in " << std::filesystem::temp_directory_path();
  }

  testing::Pipe pipe_ = testing::open_pipe();
};

TEST_F(ReadAheadTest, AsksForOneWindowMoreThanTheNextTurnMoves) {
  const auto run = testing::run_denied_and_count(
      {testing::Denial{.call = SYS_fadvise64, .answer = {}}.where(3, POSIX_FADV_WILLNEED)}, [&] {
        const Descriptor file = cold_file();
        ReadAhead ahead(by_kernel, job_from(file, pipe_));
        if (ahead.turn() != window || !ahead.note().empty()) return 1;
        for (Bytes moved = 0; moved < size; moved += ahead.turn() / 2) ahead.keep_ahead(moved);
        return ahead.note().empty() ? 1 : 0;
      });
  if (run.status == testing::cannot_deny) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.counts.at(0).seen, 4U);  // three windows and five bytes
}

TEST_F(ReadAheadTest, StaysTwoWindowsAheadAndNotMore) {
  const auto run = testing::run_denied_and_count(
      {testing::Denial{.call = SYS_fadvise64, .answer = {}}.where(3, POSIX_FADV_WILLNEED)}, [&] {
        const Descriptor file = cold_file();
        ReadAhead ahead(by_kernel, job_from(file, pipe_));
        ahead.keep_ahead(0);
        ahead.keep_ahead(0);
        return 0;
      });
  if (run.status == testing::cannot_deny) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(run.counts.at(0).seen, 2U);
}

TEST_F(ReadAheadTest, LeavesWhatIsInThePageCacheAlone) {
  const Descriptor file = cold_file();
  read_through(file);
  EXPECT_FALSE(reads_ahead(by_kernel, job_from(file, pipe_)));
}

TEST_F(ReadAheadTest, AWarmBeginningHidesNoColdRest) {
  const Descriptor file = cold_file();
  char first = 0;
  testing::must(::pread(file.ref().number(), &first, 1, 0), "pread");
  EXPECT_TRUE(reads_ahead(by_kernel, job_from(file, pipe_)));
}

TEST_F(ReadAheadTest, IsNotForShortRangesStreamsAndClones) {
  const Descriptor file = cold_file();
  Job job = job_from(file, pipe_);
  EXPECT_FALSE(reads_ahead(by_cloning, job));
  job.bytes = 64 * mebibyte - 1;
  EXPECT_FALSE(reads_ahead(by_kernel, job));
  job.bytes.reset();
  EXPECT_FALSE(reads_ahead(by_kernel, job));
  job.bytes = size;
  job.offset.reset();
  EXPECT_FALSE(reads_ahead(by_kernel, job));
}

TEST_F(ReadAheadTest, IsNotForACallThatMayCloneInstead) {
  const Descriptor file = cold_file();
  Job job = job_from(file, pipe_);
  job.source_facts.may_clone = true;
  EXPECT_TRUE(reads_ahead(by_kernel, job));
  job.destination_facts = job.source_facts;
  EXPECT_FALSE(reads_ahead(by_kernel, job));
  EXPECT_TRUE(reads_ahead({.name = "by_copying", .path_class = PathClass::user}, job));
  job.destination_facts.device += 1;
  EXPECT_TRUE(reads_ahead(by_kernel, job));
}

TEST_F(ReadAheadTest, ARefusalEndsIt) {
  EXPECT_EQ(testing::run_in_child([&] {
              const Descriptor file = cold_file();
              testing::deny_call(SYS_fadvise64, ENOSYS);
              ReadAhead ahead(by_kernel, job_from(file, pipe_));
              ahead.keep_ahead(0);
              return ahead.turn() == everything && ahead.note().empty() ? 0 : 1;
            }),
            0);
}

TEST(ReadAhead, IsNotForMemory) {
  const Descriptor file{testing::must(::memfd_create("memory", MFD_CLOEXEC), "memfd_create")};
  testing::must(::ftruncate(file.ref().number(), static_cast<off_t>(size)), "ftruncate");
  const auto pipe = testing::open_pipe();
  EXPECT_FALSE(reads_ahead(by_kernel, job_from(file, pipe)));
}

}  // namespace
}  // namespace headrace
