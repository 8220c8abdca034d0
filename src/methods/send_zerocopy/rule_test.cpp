#include "methods/send_zerocopy/rule.hpp"

#include <gtest/gtest.h>

#include "methods/send_zerocopy/reasons.hpp"
#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

TEST(SendZerocopyRule, TakesEverySourceIntoTcp) {
  const Facts blocking = changed(good_stream(Kind::tcp), &Facts::nonblocking, false);
  const Wishes stable{.contract = Contract::stable};
  for (const Kind kind :
       {Kind::regular, Kind::pipe, Kind::tcp, Kind::unix_stream, Kind::terminal, Kind::zero_device,
        Kind::character_device, Kind::block_device, Kind::other}) {
    EXPECT_EQ(refuse_send_zerocopy({.kind = kind}, good_stream(Kind::tcp), {}), std::nullopt)
        << name_of(kind);
    EXPECT_EQ(refuse_send_zerocopy({.kind = kind}, blocking, stable), std::nullopt)
        << name_of(kind);
  }
}

TEST(SendZerocopyRule, RefusesEveryOtherDestination) {
  for (const Kind kind :
       {Kind::regular, Kind::pipe, Kind::unix_stream, Kind::socket, Kind::terminal,
        Kind::null_device, Kind::character_device, Kind::block_device, Kind::other}) {
    EXPECT_EQ(refuse_send_zerocopy(good_file(), {.kind = kind}, {}), destination_not_tcp)
        << name_of(kind);
  }
}

TEST(SendZerocopyRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_send_zerocopy(directory, good_stream(Kind::tcp), {}), end_is_a_directory);
  EXPECT_EQ(refuse_send_zerocopy(good_file(), directory, {}), end_is_a_directory);
}

TEST(SendZerocopyRule, IsTakenOnlyByName) {
  EXPECT_GE(rank_send_zerocopy(good_file(), good_stream(Kind::tcp)), first_rank_by_name_only);
}

}  // namespace
}  // namespace headrace
