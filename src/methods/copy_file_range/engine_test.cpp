#include "methods/copy_file_range/engine.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using testing::job_of;
using testing::offset_of;
using testing::random_bytes;
using testing::read_all;

TEST(CopyFileRangeEngine, MovesEveryByteAndLeavesThePosition) {
  const std::string content = random_bytes(100'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  const Progress progress =
      CopyFileRangeEngine(job_of(source, destination, 100'000)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 100'000U);
  EXPECT_EQ(progress.calls, 1U);
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(source), 0U);
  EXPECT_EQ(offset_of(destination), 100'000U);
}

TEST(CopyFileRangeEngine, StartsAtBothPositions) {
  const Descriptor source = file_holding("head and tail");
  const Descriptor destination = file_holding("0123456789");
  ASSERT_EQ(::lseek(destination.ref().number(), 2, SEEK_SET), 2);
  Job job = job_of(source, destination, 3);
  job.offset = 9;
  EXPECT_EQ(CopyFileRangeEngine(job).advance(everything).moved, 3U);
  EXPECT_EQ(read_all(destination), "01tai56789");
}

TEST(CopyFileRangeEngine, ConsumesASourceThatIsReadAsAStream) {
  const Descriptor source = file_holding("stream");
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination, 4);
  job.offset.reset();
  CopyFileRangeEngine engine(job);
  engine.advance(2);
  EXPECT_EQ(engine.advance(2).moved, 4U);
  EXPECT_EQ(read_all(destination), "stre");
  EXPECT_EQ(offset_of(source), 4U);
}

TEST(CopyFileRangeEngine, ABudgetBoundsATurn) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  CopyFileRangeEngine engine(job_of(source, destination, 10'000));
  for (const Bytes moved : {4'000U, 8'000U}) {
    const Progress progress = engine.advance(4'000);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
  }
  const Progress last = engine.advance(4'000);
  EXPECT_EQ(last.ending, Ending::finished);
  EXPECT_EQ(last.calls, 3U);
  EXPECT_EQ(read_all(destination), content);
}

TEST(CopyFileRangeEngine, ASourceThatEndsEarlyIsFinishedWithWhatThereWas) {
  const Descriptor source = file_holding("short");
  const Descriptor destination = file_holding("");
  const Progress progress =
      CopyFileRangeEngine(job_of(source, destination, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 5U);
}

TEST(CopyFileRangeEngine, AnEmptySourceIsRefusedForAReadToDecide) {
  const Descriptor source = file_holding("");
  const Descriptor destination = file_holding("");
  const Progress progress =
      CopyFileRangeEngine(job_of(source, destination, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  EXPECT_EQ(progress.reason, first_call_zero);
}

TEST(CopyFileRangeEngine, NothingToMoveIsFinishedWithoutACall) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  const Progress progress = CopyFileRangeEngine(job_of(source, destination, 0)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.calls, 0U);
}

TEST(CopyFileRangeEngine, ADestinationThatAppendsIsRefusedByTheKernel) {
  const testing::TemporaryFolder folder;
  const Descriptor source = file_holding("x");
  const Descriptor destination = testing::open_file(folder.file("log", "old"), O_WRONLY | O_APPEND);
  const Progress progress = CopyFileRangeEngine(job_of(source, destination, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->code, std::errc::bad_file_descriptor);
  EXPECT_EQ(read_all(folder / "log"), "old");
}

TEST(CopyFileRangeEngine, APipeIsRefusedByTheKernel) {
  const auto pipe = testing::open_pipe(testing::Mode::nonblocking);
  const Descriptor source = file_holding("x");
  EXPECT_EQ(CopyFileRangeEngine(job_of(source, pipe.writer, 1)).advance(everything).ending,
            Ending::refused);
}

TEST(CopyFileRangeEngine, SaysWhereExtentsMayBeShared) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination, 1);
  job.destination_facts.may_clone = false;
  EXPECT_TRUE(CopyFileRangeEngine(job).notes().empty());
  job.destination_facts.may_clone = true;
  ASSERT_EQ(CopyFileRangeEngine(job).notes().size(), 1U);
  EXPECT_TRUE(CopyFileRangeEngine(job).notes().front().starts_with("may-share"));
}

}  // namespace
}  // namespace headrace
