#include "methods/reflink/engine.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "methods/support/reasons.hpp"
#include "support/cloning_file_system.hpp"
#include "support/jobs.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using testing::job_of;
using testing::offset_of;
using testing::open_file;
using testing::random_bytes;
using testing::read_all;

class ReflinkEngineOnExtents : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cloning_.path()) GTEST_SKIP() << "no file system with shared extents can be mounted here";
    source_ = open_file(folder() / "source", O_RDWR | O_CREAT);
    destination_ = open_file(folder() / "destination", O_RDWR | O_CREAT);
    ASSERT_EQ(::write(source_.ref().number(), content_.data(), content_.size()), 100'000);
    ASSERT_EQ(::lseek(source_.ref().number(), 0, SEEK_SET), 0);
  }
  void TearDown() override {  // before the file system goes
    source_ = Descriptor{};
    destination_ = Descriptor{};
  }
  const std::filesystem::path& folder() const { return *cloning_.path(); }

  testing::CloningFileSystem cloning_;
  std::string content_ = random_bytes(100'000);
  Descriptor source_;
  Descriptor destination_;
};

TEST_F(ReflinkEngineOnExtents, ClonesAllInOneCallWhateverTheBudget) {
  const Progress progress = ReflinkEngine(job_of(source_, destination_, 100'000)).advance(1);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 100'000U);
  EXPECT_EQ(progress.calls, 1U);
  EXPECT_EQ(read_all(destination_), content_);
  EXPECT_EQ(offset_of(source_), 0U);
  EXPECT_EQ(offset_of(destination_), 100'000U);
}

TEST_F(ReflinkEngineOnExtents, StartsAtBothPositions) {
  ASSERT_EQ(::lseek(destination_.ref().number(), 8192, SEEK_SET), 8192);
  Job job = job_of(source_, destination_, 8192);
  job.offset = 4096;
  EXPECT_EQ(ReflinkEngine(job).advance(everything).moved, 8192U);
  EXPECT_EQ(read_all(destination_), std::string(8192, '\0') + content_.substr(4096, 8192));
  EXPECT_EQ(offset_of(destination_), 16384U);
}

TEST_F(ReflinkEngineOnExtents, ASourceThatEndsEarlyIsFinishedWithWhatThereWas) {
  const Progress progress =
      ReflinkEngine(job_of(source_, destination_, 200'000)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 100'000U);
  EXPECT_EQ(read_all(destination_), content_);
}

TEST_F(ReflinkEngineOnExtents, APlaceThatIsNotAlignedIsRefusedByTheKernel) {
  ASSERT_EQ(::lseek(destination_.ref().number(), 1, SEEK_SET), 1);
  const Progress progress =
      ReflinkEngine(job_of(source_, destination_, 100'000)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->code, std::errc::invalid_argument);
  EXPECT_EQ(progress.moved, 0U);
  EXPECT_EQ(offset_of(destination_), 1U);
}

TEST(ReflinkEngine, AnEmptySourceIsRefusedForAReadToDecide) {
  const Descriptor source = file_holding("");
  const Descriptor destination = file_holding("");
  const Progress progress = ReflinkEngine(job_of(source, destination, 50)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  EXPECT_EQ(progress.reason, first_call_zero);
  EXPECT_EQ(progress.calls, 0U) << "0 bytes would mean all to the kernel";
}

TEST(ReflinkEngine, NothingToMoveIsFinishedWithoutACall) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  const Progress progress = ReflinkEngine(job_of(source, destination, 0)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.calls, 0U);
}

TEST(ReflinkEngine, ASourceReadAsAStreamIsRefused) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  Job job = job_of(source, destination, 1);
  job.offset.reset();
  EXPECT_EQ(ReflinkEngine(job).advance(everything).reason, source_not_seekable);
}

TEST(ReflinkEngine, ADestinationWithoutExtentsIsRefusedByTheKernel) {
  const Descriptor source = file_holding("x");
  const Descriptor null = open_file("/dev/null", O_WRONLY);
  const Progress progress = ReflinkEngine(job_of(source, null, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->call, "ioctl(FICLONERANGE)");
  EXPECT_EQ(progress.moved, 0U);
}

}  // namespace
}  // namespace headrace
