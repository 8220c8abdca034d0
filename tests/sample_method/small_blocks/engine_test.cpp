#include "methods/small_blocks/engine.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "methods/small_blocks/rule.hpp"
#include "methods/support/reasons.hpp"
#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using testing::offset_of;
using testing::open_pipe;
using testing::random_bytes;
using testing::read_all;

Job job_of(const Descriptor& source, DescriptorRef destination) {
  Job job;
  job.source.descriptor = source.ref();
  job.destination.descriptor = destination;
  return job;
}

TEST(SmallBlocksRule, RefusesAPipeAsSource) {
  EXPECT_EQ(refuse_small_blocks({.kind = Kind::pipe}, {.kind = Kind::regular}, {}),
            source_not_a_file);
}

TEST(SmallBlocksRule, TakesAFile) {
  EXPECT_EQ(refuse_small_blocks({.kind = Kind::regular}, {.kind = Kind::regular}, {}),
            std::nullopt);
}

TEST(SmallBlocksEngine, MovesEveryByteAndAdvancesBothEnds) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  const Progress progress =
      SmallBlocksEngine(job_of(source, destination.ref())).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, content.size());
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(source), content.size());
  EXPECT_EQ(offset_of(destination), content.size());
}

TEST(SmallBlocksEngine, LeavesThePositionWhenGivenAnOffset) {
  const Descriptor source = file_holding("head and tail");
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination.ref());
  job.offset = 9;
  job.bytes = 3;
  EXPECT_EQ(SmallBlocksEngine(job).advance(everything).moved, 3U);
  EXPECT_EQ(read_all(destination), "tai");
  EXPECT_EQ(offset_of(source), 0U);
}

TEST(SmallBlocksEngine, PausesForAFullPipeAndCountsWhatItHolds) {
  const Descriptor source = file_holding("more");
  const auto pipe = open_pipe(testing::Mode::nonblocking);
  testing::fill(pipe.writer.ref());
  const Progress progress =
      SmallBlocksEngine(job_of(source, pipe.writer.ref())).advance(everything);
  EXPECT_EQ(progress.ending, Ending::paused);
  EXPECT_EQ(progress.wait, Wait::destination_writable);
  EXPECT_EQ(progress.moved, 0U);
  EXPECT_EQ(progress.stranded, 4U);
}

TEST(SmallBlocksEngine, FailsOnAFullDiskWithTheBytesCounted) {
  const Descriptor source = file_holding(random_bytes(6'000));
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination.ref());
  job.offset = 0;
  const int status = testing::run_denied({testing::denied(SYS_write, ENOSPC).from(2)}, [&job] {
    const Progress progress = SmallBlocksEngine(job).advance(everything);
    const bool exact = progress.moved == 4096 && progress.stranded == 0;
    return exact && progress.ending == Ending::failed ? 0 : 1;
  });
  if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headrace
