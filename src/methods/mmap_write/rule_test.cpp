#include "methods/mmap_write/rule.hpp"

#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

TEST(MmapWriteRule, TakesAFileToAnything) {
  const Facts device = changed(good_file(), &Facts::kind, Kind::block_device);
  for (const Kind kind : {Kind::regular, Kind::pipe, Kind::tcp, Kind::terminal, Kind::null_device,
                          Kind::character_device}) {
    const Facts blocking{.kind = kind, .writable = true};
    EXPECT_EQ(refuse_mmap_write(good_file(), blocking, {}), std::nullopt) << name_of(kind);
    EXPECT_EQ(refuse_mmap_write(device, blocking, {}), std::nullopt) << name_of(kind);
  }
  EXPECT_EQ(refuse_mmap_write(good_file(), changed(good_file(), &Facts::appends, true), {}),
            std::nullopt);
}

TEST(MmapWriteRule, ServesStableBecauseAWriteCopies) {
  const Wishes stable{.contract = Contract::stable};
  EXPECT_EQ(refuse_mmap_write(good_file(), good_stream(Kind::tcp), stable), std::nullopt);
}

TEST(MmapWriteRule, RefusesWhatCannotBeMapped) {
  for (const Kind kind : {Kind::pipe, Kind::tcp, Kind::terminal, Kind::zero_device, Kind::other}) {
    EXPECT_EQ(refuse_mmap_write(good_stream(kind), good_file(), {}), source_not_seekable)
        << name_of(kind);
  }
}

TEST(MmapWriteRule, RefusesASizeThatSaysNothing) {
  const Facts stream = good_stream(Kind::tcp);
  EXPECT_EQ(refuse_mmap_write(changed(good_file(), &Facts::size, 0), stream, {}), size_unknown);
  EXPECT_EQ(refuse_mmap_write(changed(good_file(), &Facts::pseudo, true), stream, {}),
            size_unknown);
}

TEST(MmapWriteRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_mmap_write(directory, good_file(), {}), end_is_a_directory);
  EXPECT_EQ(refuse_mmap_write(good_file(), directory, {}), end_is_a_directory);
}

TEST(MmapWriteRule, IsTakenByNameOnly) {
  EXPECT_GE(rank_mmap_write(good_file(), good_file()), first_rank_by_name_only);
  EXPECT_GE(rank_mmap_write(good_file(), good_stream(Kind::tcp)), first_rank_by_name_only);
}

}  // namespace
}  // namespace headrace
