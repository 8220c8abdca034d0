#include "methods/vmsplice/rule.hpp"

#include <gtest/gtest.h>

#include "methods/support/reasons.hpp"
#include "support/jobs.hpp"

namespace headrace {
namespace {

using testing::changed;
using testing::good_file;
using testing::good_stream;

TEST(VmspliceRule, TakesEverySourceIntoAFile) {
  for (const Kind kind :
       {Kind::regular, Kind::pipe, Kind::tcp, Kind::unix_stream, Kind::terminal, Kind::zero_device,
        Kind::character_device, Kind::block_device, Kind::other}) {
    EXPECT_EQ(refuse_vmsplice({.kind = kind}, good_file(), {}), std::nullopt) << name_of(kind);
  }
  const Wishes stable{.contract = Contract::stable};
  EXPECT_EQ(refuse_vmsplice(good_file(), good_file(), stable), std::nullopt);
}

TEST(VmspliceRule, RefusesReadersThatWouldHoldOurPages) {
  for (const Kind kind : {Kind::pipe, Kind::tcp, Kind::unix_stream, Kind::socket}) {
    EXPECT_EQ(refuse_vmsplice(good_file(), good_stream(kind), {}), keeps_our_pages)
        << name_of(kind);
  }
}

TEST(VmspliceRule, RefusesWhatIsNoRegularFile) {
  for (const Kind kind : {Kind::terminal, Kind::null_device, Kind::zero_device,
                          Kind::character_device, Kind::block_device, Kind::other}) {
    EXPECT_EQ(refuse_vmsplice(good_file(), good_stream(kind), {}), destination_not_a_file)
        << name_of(kind);
  }
}

TEST(VmspliceRule, RefusesADestinationThatAppends) {
  EXPECT_EQ(refuse_vmsplice(good_file(), changed(good_file(), &Facts::appends, true), {}),
            destination_appends);
}

TEST(VmspliceRule, RefusesADirectory) {
  const Facts directory{.kind = Kind::directory};
  EXPECT_EQ(refuse_vmsplice(directory, good_file(), {}), end_is_a_directory);
  EXPECT_EQ(refuse_vmsplice(good_file(), directory, {}), end_is_a_directory);
}

TEST(VmspliceRule, IsTakenOnlyByName) {
  EXPECT_GE(rank_vmsplice(good_stream(Kind::tcp), good_file()), first_rank_by_name_only);
}

}  // namespace
}  // namespace headrace
