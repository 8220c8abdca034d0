#include "methods/read_write/engine.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

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

constexpr std::initializer_list<Mode> modes{Mode::blocking, Mode::nonblocking};

void put(const Descriptor& destination, std::string_view bytes) {
  const auto written = ::write(destination.ref().number(), bytes.data(), bytes.size());
  ASSERT_EQ(written, static_cast<ssize_t>(bytes.size()));
}

TEST(ReadWriteEngine, MovesEveryByteAndLeavesThePosition) {
  const std::string content = random_bytes(600'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  const Progress progress =
      ReadWriteEngine(job_of(source, destination, 600'000)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 600'000U);
  EXPECT_EQ(progress.calls, 6U) << "three buffers of 256KiB";
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(source), 0U);
  EXPECT_EQ(offset_of(destination), 600'000U);
}

TEST(ReadWriteEngine, MovesAPipeToItsEndAndConsumesIt) {
  for (const Mode mode : modes) {
    Pipe pipe = open_pipe(mode);
    put(pipe.writer, "all there is");
    pipe.writer = Descriptor{};
    const Descriptor destination = file_holding("");
    const Progress progress =
        ReadWriteEngine(job_between(pipe.reader, destination)).advance(everything);
    EXPECT_EQ(progress.ending, Ending::finished);
    EXPECT_EQ(progress.moved, 12U);
    EXPECT_EQ(read_all(destination), "all there is");
  }
}

TEST(ReadWriteEngine, UsesTheBufferThatIsWishedFor) {
  const Descriptor source = file_holding(random_bytes(10'000));
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination, 10'000);
  job.buffer = 1'000;
  EXPECT_EQ(ReadWriteEngine(job).advance(everything).calls, 20U);
}

TEST(ReadWriteEngine, ABufferOfNothingIsTakenAsOneByte) {
  const Descriptor source = file_holding("abc");
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination, 3);
  job.buffer = 0;
  EXPECT_EQ(ReadWriteEngine(job).advance(everything).calls, 6U);
  EXPECT_EQ(read_all(destination), "abc");
}

TEST(ReadWriteEngine, ABudgetBoundsATurn) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  ReadWriteEngine engine(job_of(source, destination, 10'000));
  for (const Bytes moved : {4'000U, 8'000U}) {
    const Progress progress = engine.advance(4'000);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
  }
  EXPECT_EQ(engine.advance(4'000).ending, Ending::finished);
  EXPECT_EQ(read_all(destination), content);
}

TEST(ReadWriteEngine, WaitsForAnEmptyPipeOrSocketEvenABlockingOne) {
  for (const Mode mode : modes) {
    const Pipe pipe = open_pipe(mode);
    const auto pair = testing::connected_tcp(mode);
    const Descriptor destination = file_holding("");
    for (const Descriptor* source : {&pipe.reader, &pair.near}) {
      const Progress progress =
          ReadWriteEngine(job_between(*source, destination)).advance(everything);
      EXPECT_EQ(progress.ending, Ending::paused);
      EXPECT_EQ(progress.wait, Wait::source_readable);
      EXPECT_EQ(progress.stranded, 0U);
    }
  }
}

TEST(ReadWriteEngine, CountsWhatAFullDestinationLeavesInTheBufferAndGoesOn) {
  for (const Mode mode : modes) {
    Pipe source = open_pipe(mode);
    put(source.writer, "kept");
    source.writer = Descriptor{};
    Pipe full = open_pipe(mode, 4096);
    put(full.writer, random_bytes(4096));
    ReadWriteEngine engine(job_between(source.reader, full.writer));
    const Progress stopped = engine.advance(everything);
    EXPECT_EQ(stopped.ending, Ending::paused);
    EXPECT_EQ(stopped.wait, Wait::destination_writable);
    EXPECT_EQ(stopped.moved, 0U);
    EXPECT_EQ(stopped.stranded, 4U);

    std::string room(4096, '\0');
    ASSERT_EQ(::read(full.reader.ref().number(), room.data(), room.size()), 4096);
    Progress progress = engine.advance(everything);
    // Where pipes do not take RWF_NOWAIT every write may sleep, and ends the turn.
    while (progress.ending == Ending::paused && progress.wait == Wait::nothing) {
      progress = engine.advance(everything);
    }
    EXPECT_EQ(progress.ending, Ending::finished);
    EXPECT_EQ(progress.moved, 4U);
    EXPECT_EQ(progress.stranded, 0U);
    EXPECT_EQ(::read(full.reader.ref().number(), room.data(), room.size()), 4);
    EXPECT_EQ(room.substr(0, 4), "kept");
  }
}

TEST(ReadWriteEngine, BytesOfAFileInTheBufferAreNotStranded) {
  const Descriptor source = file_holding("can be read again");
  const auto full = testing::connected_unix(Mode::nonblocking);
  testing::fill(full.near.ref());
  const Progress progress = ReadWriteEngine(job_of(source, full.near, 17)).advance(everything);
  EXPECT_EQ(progress.wait, Wait::destination_writable);
  EXPECT_EQ(progress.stranded, 0U);
}

TEST(ReadWriteEngine, ASourceThatEndsEarlyIsFinishedWithWhatThereWas) {
  const Descriptor source = file_holding("short");
  const Descriptor destination = file_holding("");
  const Progress progress = ReadWriteEngine(job_of(source, destination, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 5U);
}

TEST(ReadWriteEngine, AnEmptySourceIsFinished) {
  const Descriptor source = file_holding("");
  const Descriptor destination = file_holding("");
  const Progress progress = ReadWriteEngine(job_between(source, destination)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 0U);
  EXPECT_EQ(progress.calls, 1U);
}

TEST(ReadWriteEngine, ServesADestinationThatAppends) {
  const testing::TemporaryFolder folder;
  const Descriptor source = file_holding(" new");
  const Descriptor log = testing::open_file(folder.file("log", "old"), O_WRONLY | O_APPEND);
  EXPECT_EQ(ReadWriteEngine(job_between(source, log)).advance(everything).moved, 4U);
  EXPECT_EQ(read_all(folder / "log"), "old new");
}

TEST(ReadWriteEngine, ASocketThatIsGoneIsAFailureWithoutASignal) {
  auto pair = testing::connected_unix();
  pair.far = Descriptor{};
  const Descriptor source = file_holding("x");
  const Progress progress = ReadWriteEngine(job_of(source, pair.near, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::failed);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->call, "send");
  EXPECT_EQ(progress.error->code, std::errc::broken_pipe);
}

}  // namespace
}  // namespace headrace
