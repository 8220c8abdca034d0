#include "methods/splice/engine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "methods/support/reasons.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using testing::job_between;
using testing::job_of;
using testing::Mode;
using testing::offset_of;
using testing::open_pipe;
using testing::Pipe;
using testing::random_bytes;
using testing::read_all;

constexpr int roomy = 1 << 18;  // two of the contents below

void put(const Pipe& pipe, std::string_view bytes) {
  const auto written = ::write(pipe.writer.ref().number(), bytes.data(), bytes.size());
  ASSERT_EQ(written, static_cast<ssize_t>(bytes.size()));
}

std::string taken_from(Pipe pipe) {
  pipe.writer = Descriptor{};
  return testing::Drain(pipe.reader).bytes();
}

TEST(SpliceEngine, MovesAFileIntoAPipeAndLeavesThePosition) {
  const std::string content = random_bytes(100'000);
  const Descriptor source = file_holding(content);
  Pipe pipe = open_pipe(Mode::nonblocking, roomy);
  const Progress progress = SpliceEngine(job_of(source, pipe.writer, 100'000)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 100'000U);
  EXPECT_EQ(offset_of(source), 0U);
  EXPECT_EQ(taken_from(std::move(pipe)), content);
}

TEST(SpliceEngine, MovesAPipeIntoAFileToItsEndAndConsumesIt) {
  const std::string content = random_bytes(100'000);
  Pipe pipe = open_pipe(Mode::blocking, roomy);
  put(pipe, content);
  pipe.writer = Descriptor{};
  const Descriptor destination = file_holding("");
  const Progress progress = SpliceEngine(job_between(pipe.reader, destination)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 100'000U);
  EXPECT_EQ(progress.calls, 2U) << "the second one says that this was all";
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(destination), 100'000U);
  EXPECT_EQ(taken_from(std::move(pipe)), "");
}

TEST(SpliceEngine, TakesNoMoreThanItsBytesFromAPipe) {
  Pipe pipe = open_pipe();
  put(pipe, "wanted, not wanted");
  const Descriptor destination = file_holding("");
  EXPECT_EQ(SpliceEngine(job_of(pipe.reader, destination, 6)).advance(everything).moved, 6U);
  EXPECT_EQ(read_all(destination), "wanted");
  EXPECT_EQ(taken_from(std::move(pipe)), ", not wanted");
}

TEST(SpliceEngine, ABudgetBoundsATurn) {
  const std::string content = random_bytes(10'000);
  Pipe pipe = open_pipe();
  put(pipe, content);
  const Descriptor destination = file_holding("");
  SpliceEngine engine(job_of(pipe.reader, destination, 10'000));
  for (const Bytes moved : {4'000U, 8'000U}) {
    const Progress progress = engine.advance(4'000);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
  }
  EXPECT_EQ(engine.advance(4'000).ending, Ending::finished);
  EXPECT_EQ(read_all(destination), content);
}

TEST(SpliceEngine, WaitsForAFullPipeEvenABlockingOne) {
  for (const Mode mode : {Mode::blocking, Mode::nonblocking}) {
    const std::string content = random_bytes(100'000);
    const Descriptor source = file_holding(content);
    const Pipe pipe = open_pipe(mode, 65536);
    const Progress progress =
        SpliceEngine(job_of(source, pipe.writer, 100'000)).advance(everything);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::destination_writable);
    EXPECT_EQ(progress.moved, 65536U);
    EXPECT_EQ(progress.stranded, 0U);
  }
}

TEST(SpliceEngine, WaitsForAnEmptyPipeAndGoesOn) {
  Pipe pipe = open_pipe();
  const Descriptor destination = file_holding("");
  SpliceEngine engine(job_between(pipe.reader, destination));
  for (const std::string_view piece : {"one", "two"}) {
    const Progress progress = engine.advance(everything);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::source_readable);
    put(pipe, piece);
  }
  pipe.writer = Descriptor{};
  EXPECT_EQ(engine.advance(everything).ending, Ending::finished);
  EXPECT_EQ(read_all(destination), "onetwo");
}

TEST(SpliceEngine, WaitsForTheEndThatIsNotReadyOfTwoPipes) {
  const Pipe empty = open_pipe(Mode::nonblocking);
  const Pipe full = open_pipe(Mode::nonblocking);
  testing::fill(full.writer.ref());
  const Pipe free = open_pipe(Mode::nonblocking);
  EXPECT_EQ(SpliceEngine(job_between(empty.reader, free.writer)).advance(everything).wait,
            Wait::source_readable);
  const Pipe ready = open_pipe(Mode::nonblocking);
  put(ready, "x");
  EXPECT_EQ(SpliceEngine(job_between(ready.reader, full.writer)).advance(everything).wait,
            Wait::destination_writable);
}

TEST(SpliceEngine, DoesNotSleepInABlockingSocketAsSource) {
  const auto pair = testing::connected_tcp();
  const Pipe pipe = open_pipe();
  const Progress progress = SpliceEngine(job_between(pair.near, pipe.writer)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::paused);
  EXPECT_EQ(progress.wait, Wait::source_readable);
  EXPECT_EQ(progress.calls, 0U);
}

TEST(SpliceEngine, AFileThatEndsEarlyIsFinishedWithWhatThereWas) {
  const Descriptor source = file_holding("short");
  const Pipe pipe = open_pipe();
  const Progress progress = SpliceEngine(job_of(source, pipe.writer, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 5U);
}

TEST(SpliceEngine, AnEmptySourceIsRefusedForAReadToDecide) {
  Pipe pipe = open_pipe();
  pipe.writer = Descriptor{};
  const Descriptor destination = file_holding("");
  const Progress progress = SpliceEngine(job_between(pipe.reader, destination)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  EXPECT_EQ(progress.reason, first_call_zero);
}

TEST(SpliceEngine, TwoFilesAreRefusedByTheKernel) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  const Progress progress = SpliceEngine(job_of(source, destination, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->code, std::errc::invalid_argument);
}

TEST(SpliceEngine, APipeThatNobodyReadsIsAFailure) {
  std::signal(SIGPIPE, SIG_IGN);  // `transfer` masks it; an engine leaves that to its caller
  const Descriptor source = file_holding("x");
  Pipe pipe = open_pipe();
  pipe.reader = Descriptor{};
  const Progress progress = SpliceEngine(job_of(source, pipe.writer, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::failed);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->code, std::errc::broken_pipe);
}

}  // namespace
}  // namespace headrace
