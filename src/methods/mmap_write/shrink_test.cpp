#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "methods/mmap_write/engine.hpp"
#include "support/at_call.hpp"
#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/shared_progress.hpp"
#include "support/temporary.hpp"
#include "sys/mapping.hpp"

namespace headrace {
namespace {

using testing::errno_of;
using testing::file_holding;
using testing::job_of;
using testing::random_bytes;
using testing::read_all;
using testing::SharedProgress;

void cut(const Descriptor& file, Bytes size) {
  ASSERT_EQ(::ftruncate(file.ref().number(), static_cast<off_t>(size)), 0);
}

// A source of four pages and a half, and a destination.
class ShrinkingSource : public ::testing::Test {
 protected:
  // The turn is cut short by a smaller source between the question for its size and the write.
  void run_while_it_shrinks_to(Bytes size) {
    const int status = testing::run_until(
        {SYS_write, destination_.ref()}, [&] { cut(source_, size); },
        [&] {
          MmapWriteEngine engine(job());
          progress_.keep(engine.advance(everything));
          return static_cast<int>(engine.notes().size());
        });
    notes_ = status;
  }
  [[nodiscard]] Job job() const { return job_of(source_, destination_, content_.size()); }
  void expect_arrived(Bytes bytes) const {
    EXPECT_EQ(read_all(destination_), content_.substr(0, bytes));
  }

  Bytes page_ = sys::page_size();
  std::string content_ = random_bytes(4 * page_ + page_ / 2);
  Descriptor source_ = file_holding(content_);
  Descriptor destination_ = file_holding("");
  SharedProgress progress_;
  int notes_ = 0;
};

TEST_F(ShrinkingSource, BeforeTheFirstTurnIsFinishedWithWhatIsLeft) {
  for (const Bytes left : {Bytes{0}, Bytes{1}, page_, page_ + 1}) {
    const Descriptor source = file_holding(content_);
    const Descriptor destination = file_holding("");
    MmapWriteEngine engine(job_of(source, destination, content_.size()));
    cut(source, left);
    const Progress progress = engine.advance(everything);
    EXPECT_EQ(progress.ending, Ending::finished);
    EXPECT_EQ(progress.moved, left);
    EXPECT_EQ(read_all(destination), content_.substr(0, left));
  }
}

TEST_F(ShrinkingSource, BetweenTwoTurnsIsFinishedWithoutAZero) {
  const Bytes first = page_ + 10;
  for (const Bytes left : {Bytes{0}, Bytes{100}, first, first + 1, 2 * page_, 3 * page_ + 7}) {
    SCOPED_TRACE(left);
    const Descriptor source = file_holding(content_);
    const Descriptor destination = file_holding("");
    MmapWriteEngine engine(job_of(source, destination, content_.size()));
    ASSERT_EQ(engine.advance(first).moved, first);
    cut(source, left);
    const Progress progress = engine.advance(everything);
    EXPECT_EQ(progress.ending, Ending::finished);
    EXPECT_EQ(progress.moved, std::max(first, left));
    EXPECT_EQ(read_all(destination), content_.substr(0, std::max(first, left)));
  }
}

TEST_F(ShrinkingSource, DuringAWriteToTheEndOfAPageIsFinished) {
  run_while_it_shrinks_to(2 * page_);
  EXPECT_EQ(progress_->ending, Ending::finished);
  EXPECT_EQ(progress_->moved, 2 * page_);
  EXPECT_EQ(notes_, 1);
  expect_arrived(2 * page_);
}

TEST_F(ShrinkingSource, DuringAWriteToNothingIsFinished) {
  run_while_it_shrinks_to(0);
  EXPECT_EQ(progress_->ending, Ending::finished);
  EXPECT_EQ(progress_->moved, 0U);
  EXPECT_EQ(progress_->calls, 1U) << "the one that answered EFAULT";
  expect_arrived(0);
}

TEST_F(ShrinkingSource, ThatLetZerosOutIsAFailureThatCountsThem) {
  run_while_it_shrinks_to(page_ + 100);
  EXPECT_EQ(progress_->ending, Ending::failed);
  ASSERT_TRUE(progress_->error);
  EXPECT_EQ(progress_->error->call, "mmap");
  EXPECT_EQ(errno_of(*progress_), ESTALE);
  EXPECT_EQ(progress_->moved, 2 * page_) << "the rest of the last page went out as zeros";
  EXPECT_EQ(notes_, 2);
  EXPECT_EQ(read_all(destination_),
            content_.substr(0, page_ + 100) + std::string(page_ - 100, '\0'));
}

TEST_F(ShrinkingSource, IsTheOnlyExcuseForAMissingPage) {
  testing::run_denied({testing::denied(SYS_write, EFAULT)
                           .where(0, static_cast<std::uint32_t>(destination_.ref().number()))},
                      [&] { return progress_.keep(MmapWriteEngine(job()).advance(everything)); });
  if (progress_->calls == 0) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(progress_->ending, Ending::failed);
  EXPECT_EQ(progress_->error->call, "write");
  EXPECT_EQ(errno_of(*progress_), EFAULT);
}

TEST_F(ShrinkingSource, ThatGrowsAgainIsRead) {
  MmapWriteEngine engine(job());
  ASSERT_EQ(engine.advance(10).moved, 10U);
  cut(source_, 0);
  const auto put = ::pwrite(source_.ref().number(), content_.data(), content_.size(), 0);
  ASSERT_EQ(put, static_cast<ssize_t>(content_.size()));
  EXPECT_EQ(engine.advance(everything).ending, Ending::finished);
  expect_arrived(content_.size());
}

TEST(GrowingSource, IsReadToItsNewEndWhereNoLengthIsGiven) {
  const std::string content = random_bytes(20'000);
  const Descriptor source = file_holding(content.substr(0, 5'000));
  const Descriptor destination = file_holding("");
  MmapWriteEngine engine(testing::job_between(source, destination));
  ASSERT_EQ(engine.advance(1'000).moved, 1'000U);
  const auto put = ::pwrite(source.ref().number(), content.data(), content.size(), 0);
  ASSERT_EQ(put, static_cast<ssize_t>(content.size()));
  EXPECT_EQ(engine.advance(everything).ending, Ending::finished);
  EXPECT_EQ(read_all(destination), content);
}

}  // namespace
}  // namespace headrace
