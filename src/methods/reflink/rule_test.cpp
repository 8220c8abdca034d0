#include "methods/reflink/rule.hpp"

#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

TEST(ReflinkRule, TakesTwoFilesThatMayClone) {
  EXPECT_EQ(refuse_reflink(good_file(), good_file(), {}), std::nullopt);
}

TEST(ReflinkRule, RefusesWhatIsNoRegularFile) {
  for (const Kind kind : {Kind::pipe, Kind::tcp, Kind::unix_stream, Kind::terminal,
                          Kind::null_device, Kind::zero_device, Kind::block_device}) {
    SCOPED_TRACE(name_of(kind));
    EXPECT_EQ(refuse_reflink(good_stream(kind), good_file(), {}), source_not_a_file);
    EXPECT_EQ(refuse_reflink(good_file(), good_stream(kind), {}), destination_not_a_file);
  }
}

TEST(ReflinkRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_reflink(directory, good_file(), {}), end_is_a_directory);
  EXPECT_EQ(refuse_reflink(good_file(), directory, {}), end_is_a_directory);
}

TEST(ReflinkRule, RefusesADestinationThatAppends) {
  EXPECT_EQ(refuse_reflink(good_file(), changed(good_file(), &Facts::appends, true), {}),
            destination_appends);
}

TEST(ReflinkRule, RefusesASizeThatSaysNothing) {
  EXPECT_EQ(refuse_reflink(changed(good_file(), &Facts::pseudo, true), good_file(), {}),
            size_unknown);
  EXPECT_EQ(refuse_reflink(changed(good_file(), &Facts::size, 0), good_file(), {}), size_unknown);
}

TEST(ReflinkRule, RefusesTwoTypesOfFileSystem) {
  EXPECT_EQ(refuse_reflink(good_file(), changed(good_file(), &Facts::file_system, "btrfs"), {}),
            different_file_systems);
}

TEST(ReflinkRule, RefusesAFileSystemWithoutSharedExtents) {
  EXPECT_EQ(refuse_reflink(changed(good_file(), &Facts::may_clone, false), good_file(), {}),
            file_system_cannot_clone);
}

TEST(ReflinkRule, GoesFirst) { EXPECT_EQ(rank_reflink(good_file(), good_file()), 0); }

}  // namespace
}  // namespace headrace
