#include "methods/mmap_read/engine.hpp"

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

void put(const Descriptor& destination, std::string_view bytes) {
  const auto written = ::write(destination.ref().number(), bytes.data(), bytes.size());
  ASSERT_EQ(written, static_cast<ssize_t>(bytes.size()));
}

void place(const Descriptor& file, Bytes position) {
  ASSERT_EQ(::lseek(file.ref().number(), static_cast<off_t>(position), SEEK_SET),
            static_cast<off_t>(position));
}

TEST(MmapReadEngine, MovesEveryByteAndLeavesThePositionOfTheSource) {
  const std::string content = random_bytes(3'000'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  MmapReadEngine engine(job_of(source, destination, 3'000'000));
  const Progress progress = engine.advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 3'000'000U);
  EXPECT_EQ(progress.calls, 3U) << "three windows of 1MiB";
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(source), 0U);
  EXPECT_EQ(offset_of(destination), 3'000'000U);
  EXPECT_EQ(engine.copies_per_byte(), 1U);
}

TEST(MmapReadEngine, WritesAnyRangeAndKeepsAllAroundIt) {
  const Bytes page = sys::page_size();
  const std::string content = random_bytes(2 * page);
  const std::string old = random_bytes(3 * page + 3, 2);
  const Descriptor source = file_holding(content);
  for (const Bytes at : {Bytes{0}, Bytes{1}, page - 1, page, page + 1, 3 * page + 2, 5 * page}) {
    for (const Bytes bytes : {Bytes{1}, page - 1, page, page + 1, 2 * page}) {
      SCOPED_TRACE(std::to_string(at) + ", " + std::to_string(bytes));
      const Descriptor destination = file_holding(old);
      place(destination, at);
      Job job = job_of(source, destination, bytes);
      job.buffer = page;
      const Progress progress = MmapReadEngine(job).advance(everything);
      EXPECT_EQ(progress.ending, Ending::finished);
      std::string wanted = old;
      wanted.resize(std::max(wanted.size(), at + bytes));
      wanted.replace(at, bytes, content.substr(0, bytes));
      EXPECT_EQ(read_all(destination), wanted);
      EXPECT_EQ(offset_of(destination), at + bytes);
    }
  }
}

TEST(MmapReadEngine, UsesTheWindowThatIsWishedForInWholePages) {
  const Bytes page = sys::page_size();
  const Descriptor source = file_holding(random_bytes(3 * page));
  for (const Bytes wish : {Bytes{0}, Bytes{1}, page}) {
    const Descriptor destination = file_holding("");
    Job job = job_of(source, destination, 3 * page);
    job.buffer = wish;
    MmapReadEngine engine(job);
    EXPECT_EQ(engine.advance(everything).calls, 3U);
    EXPECT_EQ(engine.notes(), std::vector{"window of " + std::to_string(page) + " bytes"});
  }
}

TEST(MmapReadEngine, MovesAStreamToItsEndAndCutsTheFileBehindIt) {
  const std::string content = random_bytes(50'000);
  for (const Mode mode : modes) {
    Pipe pipe = open_pipe(mode);
    Pair tcp = testing::connected_tcp(mode);
    Pair unix_pair = testing::connected_unix(mode);
    for (auto [far, near] : {std::pair{&pipe.writer, &pipe.reader}, std::pair{&tcp.far, &tcp.near},
                             std::pair{&unix_pair.far, &unix_pair.near}}) {
      put(*far, content);
      *far = Descriptor{};
      const Descriptor destination = file_holding("");
      MmapReadEngine engine(job_between(*near, destination));
      Progress progress = engine.advance(everything);
      while (progress.ending == Ending::paused) progress = engine.advance(everything);  // TCP
      EXPECT_EQ(progress.ending, Ending::finished);
      EXPECT_EQ(progress.moved, content.size());
      EXPECT_EQ(read_all(destination), content);
      EXPECT_EQ(offset_of(destination), content.size());
    }
  }
}

TEST(MmapReadEngine, ABudgetBoundsATurnAndThePositionGoesAlong) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  MmapReadEngine engine(job_of(source, destination, 10'000));
  for (const Bytes moved : {4'000U, 8'000U}) {
    const Progress progress = engine.advance(4'000);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
    EXPECT_EQ(offset_of(destination), moved);
  }
  EXPECT_EQ(engine.advance(4'000).ending, Ending::finished);
  EXPECT_EQ(read_all(destination), content);
}

TEST(MmapReadEngine, AStopEndsTheTurnAtOnce) {
  const Descriptor source = file_holding("abc");
  const Descriptor destination = file_holding("");
  const std::atomic<bool> stop = true;
  Job job = job_of(source, destination, 3);
  job.stop = &stop;
  EXPECT_EQ(MmapReadEngine(job).advance(everything).ending, Ending::paused);
  EXPECT_EQ(read_all(destination), "");
}

TEST(MmapReadEngine, WaitsForAnEmptyPipeOrSocketEvenABlockingOne) {
  for (const Mode mode : modes) {
    const Pipe pipe = open_pipe(mode);
    const Pair pair = testing::connected_tcp(mode);
    for (const Descriptor* source : {&pipe.reader, &pair.near}) {
      const Descriptor destination = file_holding("kept");
      place(destination, 4);
      {
        MmapReadEngine engine(job_between(*source, destination));
        const Progress progress = engine.advance(everything);
        EXPECT_EQ(progress.ending, Ending::paused);
        EXPECT_EQ(progress.wait, Wait::source_readable);
      }
      EXPECT_EQ(read_all(destination), "kept") << "whoever gives up leaves no zeros behind";
    }
  }
}

TEST(MmapReadEngine, GoesOnAfterAPauseAndAnAbandonedOneKeepsWhatCame) {
  const Pipe pipe = open_pipe(Mode::nonblocking);
  const Descriptor destination = file_holding("");
  {
    MmapReadEngine engine(job_between(pipe.reader, destination));
    for (const Bytes moved : {3U, 6U}) {
      put(pipe.writer, "abc");
      const Progress progress = engine.advance(everything);
      EXPECT_EQ(progress.wait, Wait::source_readable);
      EXPECT_EQ(progress.moved, moved);
      EXPECT_EQ(progress.stranded, 0U);
      EXPECT_EQ(offset_of(destination), moved);
    }
  }
  EXPECT_EQ(read_all(destination), "abcabc");
}

TEST(MmapReadEngine, StartsWhereTheDestinationStandsNow) {
  const Descriptor source = file_holding("new");
  const Descriptor destination = file_holding("");
  const Job job = job_of(source, destination, 3);
  put(destination, "a first leg, ");
  EXPECT_EQ(MmapReadEngine(job).advance(everything).moved, 3U);
  EXPECT_EQ(read_all(destination), "a first leg, new");
}

TEST(MmapReadEngine, ASourceThatEndsEarlyIsFinishedWithWhatThereWas) {
  const Descriptor source = file_holding("short");
  const Descriptor destination = file_holding("");
  const Progress progress = MmapReadEngine(job_of(source, destination, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 5U);
  EXPECT_EQ(read_all(destination), "short");
}

TEST(MmapReadEngine, AnEmptySourceLeavesTheDestinationAsItWas) {
  const Descriptor source = file_holding("");
  const Descriptor destination = file_holding("old");
  const Progress progress = MmapReadEngine(job_between(source, destination)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 0U);
  EXPECT_EQ(read_all(destination), "old");
}

TEST(MmapReadEngine, NoMappingIsARefusalThatLeavesTheDestinationAsItWas) {
  const Descriptor source = file_holding("x");
  for (const int number : {ENODEV, ENOMEM, EPERM}) {
    const Descriptor destination = file_holding("");
    const SharedProgress progress;
    testing::run_in_child([&] {
      constexpr unsigned file = 4;  // the argument
      const auto value = static_cast<std::uint32_t>(destination.ref().number());
      testing::deny_call(SYS_mmap, number, testing::Match{file, value});
      return progress.keep(MmapReadEngine(job_of(source, destination, 1)).advance(everything));
    });
    EXPECT_EQ(progress->ending, Ending::refused);
    EXPECT_EQ(progress->reason, no_mapping);
    EXPECT_EQ(errno_of(*progress), number);
    EXPECT_EQ(read_all(destination), "");
  }
}

TEST(MmapReadEngine, ADestinationThatCannotBeReadIsRefusedByTheKernelToo) {
  const testing::TemporaryFolder folder;
  const Descriptor source = file_holding("x");
  const Descriptor destination = testing::open_file(folder.file("file", ""), O_WRONLY);
  const Progress progress = MmapReadEngine(job_of(source, destination, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  EXPECT_EQ(errno_of(progress), EACCES);
}

TEST(MmapReadEngine, ASourceThatIsResetIsAFailureAndTheFileEndsBehindWhatCame) {
  Pair pair = testing::connected_tcp(Mode::nonblocking);
  const Descriptor destination = file_holding("");
  MmapReadEngine engine(job_between(pair.near, destination));
  EXPECT_EQ(engine.advance(everything).wait, Wait::source_readable);
  testing::close_with_reset(std::move(pair.far));
  const Progress progress = engine.advance(everything);
  EXPECT_EQ(progress.ending, Ending::failed);
  EXPECT_EQ(errno_of(progress), ECONNRESET);
  EXPECT_EQ(read_all(destination), "");
}

}  // namespace
}  // namespace headrace
