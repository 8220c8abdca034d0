#include "methods/sendfile/engine.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "methods/support/reasons.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::Drain;
using testing::file_holding;
using testing::job_of;
using testing::Mode;
using testing::offset_of;
using testing::open_pipe;
using testing::random_bytes;
using testing::read_all;

TEST(SendfileEngine, MovesEveryByteInOneCallAndLeavesThePosition) {
  const std::string content = random_bytes(100'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  const Progress progress =
      SendfileEngine(job_of(source, destination, 100'000)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 100'000U);
  EXPECT_EQ(progress.calls, 1U);
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(source), 0U);
  EXPECT_EQ(offset_of(destination), 100'000U);
}

TEST(SendfileEngine, StartsAtItsOffset) {
  const Descriptor source = file_holding("head and tail");
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination, 3);
  job.offset = 9;
  EXPECT_EQ(SendfileEngine(job).advance(everything).moved, 3U);
  EXPECT_EQ(read_all(destination), "tai");
}

TEST(SendfileEngine, ConsumesASourceThatIsReadAsAStream) {
  const Descriptor source = file_holding("stream");
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination, 4);
  job.offset.reset();
  EXPECT_EQ(SendfileEngine(job).advance(everything).moved, 4U);
  EXPECT_EQ(offset_of(source), 4U);
}

TEST(SendfileEngine, ABudgetBoundsATurn) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  SendfileEngine engine(job_of(source, destination, 10'000));
  for (const Bytes moved : {4'000U, 8'000U}) {
    const Progress progress = engine.advance(4'000);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
  }
  const Progress last = engine.advance(4'000);
  EXPECT_EQ(last.ending, Ending::finished);
  EXPECT_EQ(last.moved, 10'000U);
  EXPECT_EQ(last.calls, 3U);
  EXPECT_EQ(read_all(destination), content);
}

TEST(SendfileEngine, WaitsForAFullDestinationAndGoesOn) {
  const std::string content = random_bytes(300'000);
  const Descriptor source = file_holding(content);
  auto pipe = open_pipe(Mode::nonblocking, 65536);
  SendfileEngine engine(job_of(source, pipe.writer, 300'000));
  const Progress stopped = engine.advance(everything);
  EXPECT_EQ(stopped.ending, Ending::paused);
  EXPECT_EQ(stopped.wait, Wait::destination_writable);
  EXPECT_EQ(stopped.moved, 65536U);
  EXPECT_EQ(stopped.stranded, 0U);
  Drain drain(pipe.reader);
  Progress progress = stopped;
  while (progress.ending == Ending::paused) progress = engine.advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  pipe.writer = Descriptor{};
  EXPECT_EQ(drain.bytes(), content);
}

TEST(SendfileEngine, ASourceThatEndsEarlyIsFinishedWithWhatThereWas) {
  const Descriptor source = file_holding("short");
  const Descriptor destination = file_holding("");
  const Progress progress = SendfileEngine(job_of(source, destination, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 5U);
}

TEST(SendfileEngine, AnEmptySourceIsRefusedForAReadToDecide) {
  const Descriptor source = file_holding("");
  const Descriptor destination = file_holding("");
  const Progress progress = SendfileEngine(job_of(source, destination, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  EXPECT_EQ(progress.reason, first_call_zero);
  EXPECT_FALSE(progress.error);
}

TEST(SendfileEngine, NothingToMoveIsFinishedWithoutACall) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  const Progress progress = SendfileEngine(job_of(source, destination, 0)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.calls, 0U);
}

TEST(SendfileEngine, APipeAsSourceIsRefusedByTheKernel) {
  const auto pipe = open_pipe(Mode::nonblocking);
  testing::fill(pipe.writer.ref());
  const Descriptor destination = file_holding("");
  const Progress progress = SendfileEngine(job_of(pipe.reader, destination, 9)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->call, "sendfile");
  EXPECT_EQ(progress.error->code, std::errc::invalid_argument);
}

TEST(SendfileEngine, AReaderThatIsGoneIsAFailure) {
  auto pair = testing::connected_unix(Mode::nonblocking);
  pair.far = Descriptor{};
  std::signal(SIGPIPE, SIG_IGN);  // `transfer` masks it; an engine leaves that to its caller
  const Descriptor source = file_holding("x");
  const Progress progress = SendfileEngine(job_of(source, pair.near, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::failed);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->code, std::errc::broken_pipe);
  EXPECT_EQ(progress.moved, 0U);
}

}  // namespace
}  // namespace headrace
