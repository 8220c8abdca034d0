#include "methods/copy_file_range/rule.hpp"

#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

TEST(CopyFileRangeRule, TakesTwoFilesOfOneFileSystemType) {
  EXPECT_EQ(refuse_copy_file_range(good_file(), good_file(), {}), std::nullopt);
  EXPECT_EQ(refuse_copy_file_range(good_file(), changed(good_file(), &Facts::device, 9), {}),
            std::nullopt)
      << "two devices of one type are fine";
  EXPECT_EQ(refuse_copy_file_range(good_file(), changed(good_file(), &Facts::size, 0), {}),
            std::nullopt)
      << "the destination may be empty";
}

TEST(CopyFileRangeRule, TakesAFileThatCannotClone) {
  const Facts plain = changed(good_file(), &Facts::may_clone, false);
  EXPECT_EQ(refuse_copy_file_range(plain, plain, {}), std::nullopt);
}

TEST(CopyFileRangeRule, RefusesWhatIsNoRegularFile) {
  for (const Kind kind : {Kind::pipe, Kind::tcp, Kind::unix_stream, Kind::terminal,
                          Kind::null_device, Kind::zero_device, Kind::block_device}) {
    SCOPED_TRACE(name_of(kind));
    EXPECT_EQ(refuse_copy_file_range(good_stream(kind), good_file(), {}), source_not_a_file);
    EXPECT_EQ(refuse_copy_file_range(good_file(), good_stream(kind), {}), destination_not_a_file);
  }
}

TEST(CopyFileRangeRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_copy_file_range(directory, good_file(), {}), end_is_a_directory);
  EXPECT_EQ(refuse_copy_file_range(good_file(), directory, {}), end_is_a_directory);
}

TEST(CopyFileRangeRule, RefusesADestinationThatAppends) {
  EXPECT_EQ(refuse_copy_file_range(good_file(), changed(good_file(), &Facts::appends, true), {}),
            destination_appends);
}

TEST(CopyFileRangeRule, RefusesASizeThatSaysNothing) {
  EXPECT_EQ(refuse_copy_file_range(changed(good_file(), &Facts::pseudo, true), good_file(), {}),
            size_unknown);
  EXPECT_EQ(refuse_copy_file_range(changed(good_file(), &Facts::size, 0), good_file(), {}),
            size_unknown);
}

TEST(CopyFileRangeRule, RefusesTwoTypesOfFileSystem) {
  EXPECT_EQ(
      refuse_copy_file_range(good_file(), changed(good_file(), &Facts::file_system, "tmpfs"), {}),
      different_file_systems);
}

TEST(CopyFileRangeRule, GoesBehindAClone) {
  EXPECT_GT(rank_copy_file_range(good_file(), good_file()), 0);
  EXPECT_LT(rank_copy_file_range(good_file(), good_file()), first_rank_by_name_only);
}

}  // namespace
}  // namespace headrace
