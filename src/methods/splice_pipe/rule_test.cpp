#include "methods/splice_pipe/rule.hpp"

#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

TEST(SplicePipeRule, TakesFilesAndSockets) {
  const Facts socket = good_stream(Kind::tcp);
  EXPECT_EQ(refuse_splice_pipe(good_file(), good_file(), {}), std::nullopt);
  EXPECT_EQ(refuse_splice_pipe(good_file(), socket, {}), std::nullopt);
  EXPECT_EQ(refuse_splice_pipe(socket, good_file(), {}), std::nullopt);
  EXPECT_EQ(refuse_splice_pipe(socket, good_stream(Kind::unix_stream), {}), std::nullopt);
}

TEST(SplicePipeRule, TakesABlockingSocketAsSource) {
  const Facts blocking = changed(good_stream(Kind::tcp), &Facts::nonblocking, false);
  EXPECT_EQ(refuse_splice_pipe(blocking, good_file(), {}), std::nullopt);
}

TEST(SplicePipeRule, LeavesPipesToSplice) {
  const Facts pipe = good_stream(Kind::pipe);
  EXPECT_EQ(refuse_splice_pipe(pipe, good_file(), {}), an_end_is_a_pipe);
  EXPECT_EQ(refuse_splice_pipe(good_file(), pipe, {}), an_end_is_a_pipe);
}

TEST(SplicePipeRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_splice_pipe(directory, good_file(), {}), end_is_a_directory);
  EXPECT_EQ(refuse_splice_pipe(good_file(), directory, {}), end_is_a_directory);
}

TEST(SplicePipeRule, RefusesTerminals) {
  const Facts terminal = good_stream(Kind::terminal);
  EXPECT_EQ(refuse_splice_pipe(terminal, good_file(), {}), source_is_terminal);
  EXPECT_EQ(refuse_splice_pipe(good_file(), terminal, {}), destination_is_terminal);
}

TEST(SplicePipeRule, RefusesADestinationThatAppends) {
  EXPECT_EQ(refuse_splice_pipe(good_file(), changed(good_file(), &Facts::appends, true), {}),
            destination_appends);
}

TEST(SplicePipeRule, RefusesToSleepInABlockingDestination) {
  for (const Kind kind : {Kind::tcp, Kind::unix_stream, Kind::character_device}) {
    const Facts blocking = changed(good_stream(kind), &Facts::nonblocking, false);
    EXPECT_EQ(refuse_splice_pipe(good_file(), blocking, {}), destination_blocks) << name_of(kind);
  }
}

TEST(SplicePipeRule, RefusesToShareItsPagesWhereStableIsAskedFor) {
  const Wishes stable{.contract = Contract::stable};
  EXPECT_EQ(refuse_splice_pipe(good_file(), good_stream(Kind::tcp), stable), shares_pages);
  EXPECT_EQ(refuse_splice_pipe(good_stream(Kind::tcp), good_file(), stable), std::nullopt);
}

TEST(SplicePipeRule, GoesFirstFromALargeFileToASocket) {
  const Facts large = changed(good_file(), &Facts::size, gibibyte);
  const Facts socket = good_stream(Kind::tcp);
  EXPECT_LT(rank_splice_pipe(large, socket), 10);
  EXPECT_GT(rank_splice_pipe(large, good_file()), 20);
  EXPECT_GT(rank_splice_pipe(good_file(), socket), 20);
}

TEST(SplicePipeRule, GoesBehindTheSingleCalls) {
  EXPECT_GT(rank_splice_pipe(good_file(), good_file()), 20);
  EXPECT_LT(rank_splice_pipe(good_file(), good_file()), 90);
}

}  // namespace
}  // namespace headrace
