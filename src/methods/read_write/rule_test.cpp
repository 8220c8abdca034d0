#include "methods/read_write/rule.hpp"

#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

constexpr std::initializer_list<Kind> kinds{
    Kind::regular,          Kind::pipe,         Kind::tcp,         Kind::unix_stream,
    Kind::socket,           Kind::terminal,     Kind::null_device, Kind::zero_device,
    Kind::character_device, Kind::block_device, Kind::other};

TEST(ReadWriteRule, TakesEveryPair) {
  const Wishes stable{.contract = Contract::stable};
  for (const Kind source : kinds) {
    for (const Kind destination : kinds) {
      SCOPED_TRACE(std::string(name_of(source)) + " to " + std::string(name_of(destination)));
      EXPECT_EQ(refuse_read_write({.kind = source}, {.kind = destination}, {}), std::nullopt);
      EXPECT_EQ(refuse_read_write({.kind = source}, {.kind = destination, .appends = true}, stable),
                std::nullopt);
    }
  }
}

TEST(ReadWriteRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_read_write(directory, good_file(), {}), end_is_a_directory);
  EXPECT_EQ(refuse_read_write(good_file(), directory, {}), end_is_a_directory);
}

TEST(ReadWriteRule, GoesLastButFirstWhereOnlyAReadTellsWhatThereIs) {
  EXPECT_EQ(rank_read_write(good_file(), good_file()), 90);
  EXPECT_EQ(rank_read_write(good_stream(Kind::tcp), good_file()), 90);
  EXPECT_EQ(rank_read_write(changed(good_file(), &Facts::size, 0), good_file()), 0);
  EXPECT_EQ(rank_read_write(changed(good_file(), &Facts::pseudo, true), good_file()), 0);
}

}  // namespace
}  // namespace headrace
