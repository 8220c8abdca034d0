#include "methods/splice_pipe/engine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "methods/support/reasons.hpp"
#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/limits.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::connected_unix;
using testing::file_holding;
using testing::job_between;
using testing::job_of;
using testing::Mode;
using testing::offset_of;
using testing::Pair;
using testing::random_bytes;
using testing::read_all;

void put(const Descriptor& socket, std::string_view bytes) {
  const auto written = ::write(socket.ref().number(), bytes.data(), bytes.size());
  ASSERT_EQ(written, static_cast<ssize_t>(bytes.size()));
}

TEST(SplicePipeEngine, MovesEveryByteAndLeavesThePosition) {
  const std::string content = random_bytes(3'000'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  const Progress progress =
      SplicePipeEngine(job_of(source, destination, 3'000'000)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 3'000'000U);
  EXPECT_EQ(progress.calls % 2, 0U) << "as often into the pipe as out of it";
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(source), 0U);
  EXPECT_EQ(offset_of(destination), 3'000'000U);
}

TEST(SplicePipeEngine, MovesASocketToItsEndAndConsumesIt) {
  const std::string content = random_bytes(50'000);
  Pair pair = connected_unix();
  put(pair.far, content);
  pair.far = Descriptor{};
  const Descriptor destination = file_holding("");
  const Progress progress =
      SplicePipeEngine(job_between(pair.near, destination)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, content.size());
  EXPECT_EQ(progress.stranded, 0U);
  EXPECT_EQ(read_all(destination), content);
}

TEST(SplicePipeEngine, ABudgetBoundsATurn) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  SplicePipeEngine engine(job_of(source, destination, 10'000));
  for (const Bytes moved : {4'000U, 8'000U}) {
    const Progress progress = engine.advance(4'000);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
  }
  EXPECT_EQ(engine.advance(4'000).ending, Ending::finished);
  EXPECT_EQ(read_all(destination), content);
}

TEST(SplicePipeEngine, WaitsForAnEmptySourceEvenABlockingOne) {
  for (const Mode mode : {Mode::blocking, Mode::nonblocking}) {
    const Pair pair = testing::connected_tcp(mode);
    const Descriptor destination = file_holding("");
    const Progress progress =
        SplicePipeEngine(job_between(pair.near, destination)).advance(everything);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::source_readable);
    EXPECT_EQ(progress.stranded, 0U);
  }
}

TEST(SplicePipeEngine, CountsWhatAFullDestinationLeavesInThePipeAndGoesOn) {
  Pair source = connected_unix(Mode::nonblocking);
  put(source.far, "kept in between");
  source.far = Descriptor{};
  Pair full = connected_unix(Mode::nonblocking);
  const std::size_t before = testing::fill(full.near.ref());
  SplicePipeEngine engine(job_between(source.near, full.near));
  const Progress stopped = engine.advance(everything);
  EXPECT_EQ(stopped.ending, Ending::paused);
  EXPECT_EQ(stopped.wait, Wait::destination_writable);
  EXPECT_EQ(stopped.moved, 0U);
  EXPECT_EQ(stopped.stranded, 15U);

  std::string room(before, '\0');
  for (std::size_t got = 0; got < before;) {
    const auto step = ::read(full.far.ref().number(), room.data(), room.size());
    ASSERT_GT(step, 0);
    got += static_cast<std::size_t>(step);
  }
  const Progress progress = engine.advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 15U);
  EXPECT_EQ(progress.stranded, 0U);
  std::string arrived(15, '\0');
  EXPECT_EQ(::read(full.far.ref().number(), arrived.data(), arrived.size()), 15);
  EXPECT_EQ(arrived, "kept in between");
}

TEST(SplicePipeEngine, BytesOfAFileInThePipeAreNotStranded) {
  const Descriptor source = file_holding("can be read again");
  const Pair full = connected_unix(Mode::nonblocking);
  testing::fill(full.near.ref());
  const Progress progress = SplicePipeEngine(job_of(source, full.near, 17)).advance(everything);
  EXPECT_EQ(progress.wait, Wait::destination_writable);
  EXPECT_EQ(progress.stranded, 0U);
}

TEST(SplicePipeEngine, ASourceThatEndsEarlyIsFinishedWithWhatThereWas) {
  const Descriptor source = file_holding("short");
  const Descriptor destination = file_holding("");
  const Progress progress = SplicePipeEngine(job_of(source, destination, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 5U);
}

TEST(SplicePipeEngine, AnEmptySourceIsRefusedForAReadToDecide) {
  const Descriptor source = file_holding("");
  const Descriptor destination = file_holding("");
  const Progress progress = SplicePipeEngine(job_of(source, destination, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  EXPECT_EQ(progress.reason, first_call_zero);
}

TEST(SplicePipeEngine, SaysWhatPipeItWasGivenWhereThatIsLess) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination, 1);
  job.buffer = 65536;
  SplicePipeEngine engine(job);
  EXPECT_TRUE(engine.notes().empty()) << "no pipe before the first turn";
  engine.advance(everything);
  EXPECT_TRUE(engine.notes().empty());

  job.buffer = Bytes{1} << 40;  // more than any limit
  SplicePipeEngine greedy(job);
  EXPECT_EQ(greedy.advance(everything).ending, Ending::finished);
  ASSERT_EQ(greedy.notes().size(), 1U);
  EXPECT_TRUE(greedy.notes().front().ends_with("1099511627776 refused: Operation not permitted"))
      << greedy.notes().front();
}

TEST(SplicePipeEngine, NoPipeIsARefusalThatKeepsTheErrno) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  const int status = testing::run_in_child([&] {
    testing::limit_open_files(0);
    const Progress progress = SplicePipeEngine(job_of(source, destination, 1)).advance(everything);
    const bool told = progress.reason == no_pipe && progress.error &&
                      progress.error->code == std::errc::too_many_files_open;
    return progress.ending == Ending::refused && told && progress.calls == 0 ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headrace
