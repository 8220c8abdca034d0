#include "methods/mmap_write/engine.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>

#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/shared_progress.hpp"
#include "support/temporary.hpp"
#include "sys/mapping.hpp"

namespace headrace {
namespace {

using testing::connected_unix;
using testing::errno_of;
using testing::file_holding;
using testing::job_between;
using testing::job_of;
using testing::Mode;
using testing::offset_of;
using testing::open_pipe;
using testing::Pair;
using testing::Pipe;
using testing::random_bytes;
using testing::read_all;
using testing::SharedProgress;

constexpr std::initializer_list<Mode> modes{Mode::blocking, Mode::nonblocking};

TEST(MmapWriteEngine, MovesEveryByteAndLeavesThePosition) {
  const std::string content = random_bytes(3'000'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  MmapWriteEngine engine(job_of(source, destination, 3'000'000));
  const Progress progress = engine.advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 3'000'000U);
  EXPECT_EQ(progress.calls, 3U) << "three windows of 1MiB";
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(source), 0U);
  EXPECT_EQ(offset_of(destination), 3'000'000U);
  EXPECT_EQ(engine.copies_per_byte(), 1U);
}

TEST(MmapWriteEngine, MovesAnyRange) {
  const Bytes page = sys::page_size();
  const std::string content = random_bytes(5 * page + 7);
  const Descriptor source = file_holding(content);
  for (const Bytes offset : {Bytes{0}, Bytes{1}, page - 1, page, page + 1, 3 * page + 5}) {
    for (const Bytes bytes : {Bytes{1}, page - 1, page, page + 1, 2 * page}) {
      SCOPED_TRACE(std::to_string(offset) + ", " + std::to_string(bytes));
      const Descriptor destination = file_holding("");
      Job job = job_of(source, destination, bytes);
      job.offset = offset;
      job.buffer = page;
      const Progress progress = MmapWriteEngine(job).advance(everything);
      EXPECT_EQ(progress.ending, Ending::finished);
      EXPECT_EQ(read_all(destination), content.substr(offset, bytes));
    }
  }
}

TEST(MmapWriteEngine, UsesTheWindowThatIsWishedForInWholePages) {
  const Bytes page = sys::page_size();
  const Descriptor source = file_holding(random_bytes(3 * page));
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination, 3 * page);
  for (const Bytes wish : {Bytes{0}, Bytes{1}, page}) {
    job.buffer = wish;
    MmapWriteEngine engine(job);
    EXPECT_EQ(engine.advance(everything).calls, 3U);
    EXPECT_EQ(engine.notes(), std::vector{"window of " + std::to_string(page) + " bytes"});
  }
  job.buffer = page + 1;
  EXPECT_EQ(MmapWriteEngine(job).advance(everything).calls, 2U);
}

TEST(MmapWriteEngine, ABudgetBoundsATurn) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  MmapWriteEngine engine(job_of(source, destination, 10'000));
  for (const Bytes moved : {4'000U, 8'000U}) {
    const Progress progress = engine.advance(4'000);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
  }
  EXPECT_EQ(engine.advance(4'000).ending, Ending::finished);
  EXPECT_EQ(read_all(destination), content);
}

TEST(MmapWriteEngine, AStopEndsTheTurnAtOnce) {
  const Descriptor source = file_holding("abc");
  const Descriptor destination = file_holding("");
  const std::atomic<bool> stop = true;
  Job job = job_of(source, destination, 3);
  job.stop = &stop;
  const Progress progress = MmapWriteEngine(job).advance(everything);
  EXPECT_EQ(progress.ending, Ending::paused);
  EXPECT_EQ(progress.moved, 0U);
}

TEST(MmapWriteEngine, NeverWaitsForAFullDestinationAndGoesOn) {
  const std::string content = random_bytes(300'000);
  for (const Mode mode : modes) {
    const Descriptor source = file_holding(content);
    Pipe pipe = open_pipe(mode);
    Pair pair = testing::connected_tcp(mode);
    for (auto* const ends : {&pipe.writer, &pair.near}) {
      testing::Drain drain(ends == &pipe.writer ? pipe.reader : pair.far);
      MmapWriteEngine engine(job_of(source, *ends, content.size()));
      Progress progress = engine.advance(everything);
      while (progress.ending == Ending::paused) {
        EXPECT_NE(progress.wait, Wait::source_readable);
        EXPECT_EQ(progress.stranded, 0U);
        progress = engine.advance(everything);
      }
      EXPECT_EQ(progress.ending, Ending::finished);
      *ends = Descriptor{};
      EXPECT_EQ(drain.bytes(), content);
    }
  }
}

TEST(MmapWriteEngine, WaitsForTheDestinationThatIsFull) {
  const Descriptor source = file_holding("x");
  const Pair full = connected_unix(Mode::nonblocking);
  testing::fill(full.near.ref());
  const Progress progress = MmapWriteEngine(job_of(source, full.near, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::paused);
  EXPECT_EQ(progress.wait, Wait::destination_writable);
  EXPECT_EQ(progress.stranded, 0U);
}

TEST(MmapWriteEngine, AnEmptySourceIsFinished) {
  const Descriptor source = file_holding("");
  const Descriptor destination = file_holding("");
  const Progress progress = MmapWriteEngine(job_between(source, destination)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.calls, 0U);
}

TEST(MmapWriteEngine, ALengthThatIsNotGivenIsTheRestOfTheFile) {
  const std::string content = random_bytes(9'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  EXPECT_EQ(MmapWriteEngine(job_between(source, destination)).advance(everything).moved, 9'000U);
  EXPECT_EQ(read_all(destination), content);
}

TEST(MmapWriteEngine, ServesADestinationThatAppends) {
  const testing::TemporaryFolder folder;
  const Descriptor source = file_holding(" new");
  const Descriptor log = testing::open_file(folder.file("log", "old"), O_WRONLY | O_APPEND);
  EXPECT_EQ(MmapWriteEngine(job_between(source, log)).advance(everything).moved, 4U);
  EXPECT_EQ(read_all(folder / "log"), "old new");
}

TEST(MmapWriteEngine, ASocketThatIsGoneIsAFailureWithoutASignal) {
  Pair pair = connected_unix();
  pair.far = Descriptor{};
  const Descriptor source = file_holding("x");
  const Progress progress = MmapWriteEngine(job_of(source, pair.near, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::failed);
  EXPECT_EQ(errno_of(progress), EPIPE);
}

TEST(MmapWriteEngine, NoMappingIsARefusalThatKeepsTheErrno) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  for (const int number : {ENODEV, ENOMEM, EPERM}) {
    const SharedProgress progress;
    testing::run_in_child([&] {
      constexpr unsigned file = 4;  // the argument
      testing::deny_call(SYS_mmap, number,
                         testing::Match{file, static_cast<std::uint32_t>(source.ref().number())});
      return progress.keep(MmapWriteEngine(job_of(source, destination, 1)).advance(everything));
    });
    EXPECT_EQ(progress->ending, Ending::refused);
    EXPECT_EQ(progress->reason, no_mapping);
    EXPECT_EQ(errno_of(*progress), number);
  }
}

}  // namespace
}  // namespace headrace
