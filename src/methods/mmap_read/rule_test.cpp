#include "methods/mmap_read/rule.hpp"

#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

TEST(MmapReadRule, TakesAnythingToAFile) {
  for (const Kind kind : {Kind::regular, Kind::pipe, Kind::tcp, Kind::unix_stream, Kind::terminal,
                          Kind::zero_device, Kind::character_device, Kind::block_device}) {
    const Facts blocking{.kind = kind, .readable = true};
    EXPECT_EQ(refuse_mmap_read(blocking, good_file(), {}), std::nullopt) << name_of(kind);
  }
  const Wishes stable{.contract = Contract::stable};
  EXPECT_EQ(refuse_mmap_read(good_file(), good_file(), stable), std::nullopt);
}

TEST(MmapReadRule, RefusesWhatIsNoRegularFile) {
  for (const Kind kind : {Kind::pipe, Kind::tcp, Kind::terminal, Kind::null_device, Kind::other,
                          Kind::block_device}) {
    EXPECT_EQ(refuse_mmap_read(good_file(), good_stream(kind), {}), destination_not_a_file)
        << name_of(kind);
  }
  EXPECT_EQ(refuse_mmap_read(good_file(), changed(good_file(), &Facts::pseudo, true), {}),
            destination_not_a_file);
}

TEST(MmapReadRule, RefusesADestinationThatAppends) {
  EXPECT_EQ(refuse_mmap_read(good_file(), changed(good_file(), &Facts::appends, true), {}),
            destination_appends);
}

TEST(MmapReadRule, RefusesADestinationThatCannotBeRead) {
  EXPECT_EQ(refuse_mmap_read(good_file(), changed(good_file(), &Facts::readable, false), {}),
            destination_not_readable);
}

TEST(MmapReadRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_mmap_read(directory, good_file(), {}), end_is_a_directory);
  EXPECT_EQ(refuse_mmap_read(good_file(), directory, {}), end_is_a_directory);
}

TEST(MmapReadRule, IsTakenByNameOnly) {
  EXPECT_GE(rank_mmap_read(good_file(), good_file()), first_rank_by_name_only);
  EXPECT_GE(rank_mmap_read(good_stream(Kind::tcp), good_file()), first_rank_by_name_only);
}

}  // namespace
}  // namespace headrace
