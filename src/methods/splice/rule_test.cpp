#include "methods/splice/rule.hpp"

#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

const Facts pipe = good_stream(Kind::pipe);
const Facts blocking_pipe = changed(pipe, &Facts::nonblocking, false);

TEST(SpliceRule, TakesAPipeOnEitherEnd) {
  for (const Kind kind : {Kind::tcp, Kind::unix_stream, Kind::pipe, Kind::null_device}) {
    EXPECT_EQ(refuse_splice(pipe, good_stream(kind), {}), std::nullopt) << name_of(kind);
  }
  EXPECT_EQ(refuse_splice(pipe, good_file(), {}), std::nullopt);
  EXPECT_EQ(refuse_splice(good_file(), pipe, {}), std::nullopt);
  EXPECT_EQ(refuse_splice(good_stream(Kind::tcp), pipe, {}), std::nullopt);
}

TEST(SpliceRule, TakesABlockingPipeSinceTheFlagOfTheCallSpeaksOfIt) {
  EXPECT_EQ(refuse_splice(good_file(), blocking_pipe, {}), std::nullopt);
  EXPECT_EQ(refuse_splice(blocking_pipe, good_file(), {}), std::nullopt);
}

TEST(SpliceRule, RefusesTwoEndsThatAreNoPipe) {
  EXPECT_EQ(refuse_splice(good_file(), good_file(), {}), no_end_is_a_pipe);
  EXPECT_EQ(refuse_splice(good_file(), good_stream(Kind::tcp), {}), no_end_is_a_pipe);
}

TEST(SpliceRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_splice(directory, pipe, {}), end_is_a_directory);
  EXPECT_EQ(refuse_splice(pipe, directory, {}), end_is_a_directory);
}

TEST(SpliceRule, RefusesTerminals) {
  EXPECT_EQ(refuse_splice(good_stream(Kind::terminal), pipe, {}), source_is_terminal);
  EXPECT_EQ(refuse_splice(pipe, good_stream(Kind::terminal), {}), destination_is_terminal);
}

TEST(SpliceRule, RefusesAFileThatAppendsButNotAPipe) {
  EXPECT_EQ(refuse_splice(pipe, changed(good_file(), &Facts::appends, true), {}),
            destination_appends);
  EXPECT_EQ(refuse_splice(pipe, changed(pipe, &Facts::appends, true), {}), std::nullopt);
}

TEST(SpliceRule, RefusesToSleepInABlockingSocketOrDevice) {
  for (const Kind kind : {Kind::tcp, Kind::unix_stream, Kind::character_device}) {
    const Facts blocking = changed(good_stream(kind), &Facts::nonblocking, false);
    EXPECT_EQ(refuse_splice(pipe, blocking, {}), destination_blocks) << name_of(kind);
  }
}

TEST(SpliceRule, RefusesToShareItsPagesWhereStableIsAskedFor) {
  const Wishes stable{.contract = Contract::stable};
  EXPECT_EQ(refuse_splice(good_file(), pipe, stable), shares_pages);
  EXPECT_EQ(refuse_splice(pipe, good_file(), stable), std::nullopt);
}

TEST(SpliceRule, IsADefaultPath) { EXPECT_LT(rank_splice(pipe, good_file()), 90); }

}  // namespace
}  // namespace headrace
