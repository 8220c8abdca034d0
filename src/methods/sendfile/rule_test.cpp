#include "methods/sendfile/rule.hpp"

#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

constexpr std::initializer_list<Kind> streams{Kind::pipe, Kind::tcp, Kind::unix_stream,
                                              Kind::socket};

TEST(SendfileRule, TakesAFileIntoAnything) {
  EXPECT_EQ(refuse_sendfile(good_file(), good_file(), {}), std::nullopt);
  EXPECT_EQ(refuse_sendfile(good_file(), {.kind = Kind::null_device}, {}), std::nullopt);
  EXPECT_EQ(refuse_sendfile({.kind = Kind::zero_device}, good_file(), {}), std::nullopt);
  for (const Kind kind : streams) {
    EXPECT_EQ(refuse_sendfile(good_file(), good_stream(kind), {}), std::nullopt) << name_of(kind);
  }
}

TEST(SendfileRule, TakesAFileWhoseSizeSaysNothing) {
  EXPECT_EQ(refuse_sendfile(changed(good_file(), &Facts::pseudo, true), good_file(), {}),
            std::nullopt);
}

TEST(SendfileRule, RefusesASourceWithoutOffsets) {
  for (const Kind kind : streams) {
    EXPECT_EQ(refuse_sendfile(good_stream(kind), good_file(), {}), source_not_seekable)
        << name_of(kind);
  }
}

TEST(SendfileRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_sendfile(directory, good_file(), {}), end_is_a_directory);
  EXPECT_EQ(refuse_sendfile(good_file(), directory, {}), end_is_a_directory);
}

TEST(SendfileRule, RefusesTerminals) {
  EXPECT_EQ(refuse_sendfile(good_stream(Kind::terminal), good_file(), {}), source_is_terminal);
  EXPECT_EQ(refuse_sendfile(good_file(), good_stream(Kind::terminal), {}), destination_is_terminal);
}

TEST(SendfileRule, RefusesADestinationThatAppends) {
  EXPECT_EQ(refuse_sendfile(good_file(), changed(good_file(), &Facts::appends, true), {}),
            destination_appends);
}

TEST(SendfileRule, RefusesToSleepInABlockingDestination) {
  for (const Kind kind : {Kind::pipe, Kind::tcp, Kind::unix_stream, Kind::character_device}) {
    const Facts blocking = changed(good_stream(kind), &Facts::nonblocking, false);
    EXPECT_EQ(refuse_sendfile(good_file(), blocking, {}), destination_blocks) << name_of(kind);
  }
}

TEST(SendfileRule, RefusesToShareItsPagesWhereStableIsAskedFor) {
  const Wishes stable{.contract = Contract::stable};
  for (const Kind kind : streams) {
    EXPECT_EQ(refuse_sendfile(good_file(), good_stream(kind), stable), shares_pages)
        << name_of(kind);
  }
  EXPECT_EQ(refuse_sendfile(good_file(), good_file(), stable), std::nullopt);
  EXPECT_EQ(refuse_sendfile({.kind = Kind::zero_device}, good_stream(Kind::pipe), stable),
            std::nullopt);
}

TEST(SendfileRule, GoesBehindCopyFileRangeBetweenFiles) {
  EXPECT_EQ(rank_sendfile(good_file(), good_file()), 20);
  EXPECT_EQ(rank_sendfile(good_file(), good_stream(Kind::tcp)), 10);
}

}  // namespace
}  // namespace headrace
