#include "transfer/reservation.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "support/deny.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"
#include "transfer/transfer_testing.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using transfer_testing::move;
using transfer_testing::seek;

struct Space {
  Bytes size;
  Bytes allocated;
};
Space space_of(const Descriptor& file) {
  struct stat status{};
  testing::must(::fstat(file.ref().number(), &status), "fstat");
  return {static_cast<Bytes>(status.st_size), static_cast<Bytes>(status.st_blocks) * 512};
}

Facts facts_of(const Descriptor& file) { return probe(file.ref()).value(); }

// A few blocks of the file system's own are more than a few bytes need.
constexpr Bytes little = mebibyte;

/// Reservations need a file system with fallocate(2): ext4, xfs, btrfs and tmpfs have it.
class ReservationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const Descriptor file = file_holding("");
    if (::fallocate(file.ref().number(), FALLOC_FL_KEEP_SIZE, 0, 4096) != 0)
      GTEST_SKIP() << "no fallocate(2) in " << std::filesystem::temp_directory_path();
  }
};

TEST_F(ReservationTest, WholeTakesTheExpectedLengthAtOnceAndShowsNone) {
  const Descriptor file = file_holding("");
  Reservation reservation(file.ref(), facts_of(file), Reserve::whole);
  reservation.keep_ahead(0, 8 * mebibyte);
  EXPECT_GE(space_of(file).allocated, 8 * mebibyte);
  EXPECT_EQ(space_of(file).size, 0U);
  EXPECT_EQ(reservation.turn(), everything);
}

TEST_F(ReservationTest, WhatIsRequiredIsThereBeforeTheFirstByteOrNothingIs) {
  const Descriptor file = file_holding("");
  Reservation reservation(file.ref(), facts_of(file), Reserve::required);
  ASSERT_TRUE(reservation.claim(8 * mebibyte));
  EXPECT_GE(space_of(file).allocated, 8 * mebibyte);
  EXPECT_EQ(space_of(file).size, 0U);
  // No disk is that large.
  const Descriptor other = file_holding("");
  Reservation too_much(other.ref(), facts_of(other), Reserve::required);
  const auto refused = too_much.claim(Bytes{1} << 52);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().call, "fallocate");
  EXPECT_LE(space_of(other).allocated, little);
}

TEST_F(ReservationTest, NothingIsClaimedThatIsNotRequired) {
  const Descriptor file = file_holding("");
  for (const Reserve wish : {Reserve::nothing, Reserve::ahead, Reserve::whole}) {
    Reservation reservation(file.ref(), facts_of(file), wish);
    EXPECT_TRUE(reservation.claim(8 * mebibyte));
    EXPECT_LE(space_of(file).allocated, little);
  }
}

TEST_F(ReservationTest, WhatWasNotWrittenIsGivenBack) {
  const Descriptor file = file_holding("");
  {
    Reservation reservation(file.ref(), facts_of(file), Reserve::whole);
    reservation.keep_ahead(0, 8 * mebibyte);
    testing::must(::write(file.ref().number(), "some", 4), "write");
    reservation.trim();
    EXPECT_LT(space_of(file).allocated, little);
    EXPECT_EQ(space_of(file).size, 4U);
  }
  EXPECT_EQ(testing::read_all(file), "some");
}

TEST_F(ReservationTest, ItsEndOfLifeGivesBackToo) {
  const Descriptor file = file_holding("");
  {
    Reservation reservation(file.ref(), facts_of(file), Reserve::ahead);
    reservation.keep_ahead(4 * mebibyte, std::nullopt);
    EXPECT_GE(space_of(file).allocated, 64 * mebibyte);
  }
  EXPECT_LT(space_of(file).allocated, little);
}

TEST_F(ReservationTest, AheadStaysAheadOfTheBytes) {
  const Descriptor file = file_holding("");
  Reservation reservation(file.ref(), facts_of(file), Reserve::ahead);
  Bytes moved = reservation.turn();
  for (int turn = 0; turn < 5; ++turn) {
    reservation.keep_ahead(moved, std::nullopt);
    ASSERT_GE(space_of(file).allocated, moved + reservation.turn());
    moved += reservation.turn();
  }
  EXPECT_EQ(space_of(file).size, 0U);
}

TEST_F(ReservationTest, AShortMessageReservesNothing) {
  const Descriptor file = file_holding("");
  Reservation reservation(file.ref(), facts_of(file), Reserve::ahead);
  reservation.keep_ahead(0, std::nullopt);
  reservation.keep_ahead(reservation.turn() - 1, std::nullopt);
  EXPECT_EQ(space_of(file).allocated, 0U);
}

TEST_F(ReservationTest, StartsAtTheFilesPosition) {
  const Descriptor file = file_holding("0123456789");
  seek(file, 10);
  Reservation reservation(file.ref(), facts_of(file), Reserve::whole);
  reservation.keep_ahead(0, 8 * mebibyte);
  EXPECT_GE(space_of(file).allocated, 8 * mebibyte);
  reservation.trim();
  EXPECT_EQ(testing::read_all(file), "0123456789");
}

TEST_F(ReservationTest, AnOlderContentBehindItIsLeftAlone) {
  const std::string content = testing::random_bytes(200'000);
  const Descriptor file = file_holding(content);
  seek(file, 0);
  Reservation reservation(file.ref(), facts_of(file), Reserve::whole);
  reservation.keep_ahead(0, 1000);
  reservation.trim();
  EXPECT_EQ(testing::read_all(file), content);
}

TEST_F(ReservationTest, IsForRegularFilesThatDoNotAppend) {
  const Descriptor file = file_holding("");
  Facts facts = facts_of(file);
  facts.appends = true;
  Reservation appending(file.ref(), facts, Reserve::whole);
  appending.keep_ahead(0, 8 * mebibyte);
  Reservation nothing(file.ref(), facts_of(file), Reserve::nothing);
  nothing.keep_ahead(0, 8 * mebibyte);
  EXPECT_LT(space_of(file).allocated, little);
}

// A full disk or a file system without the call: the write itself will tell.
TEST_F(ReservationTest, ARefusalIsLeftAlone) {
  for (const int number : {ENOSPC, EOPNOTSUPP, ENOSYS}) {
    EXPECT_EQ(testing::run_in_child([&] {
                testing::deny_call(SYS_fallocate, number);
                const std::string content = testing::random_bytes(100'000);
                const Descriptor source = file_holding(content);
                const Descriptor file = file_holding("");
                const Report report =
                    move(body_of(source.ref()), file, {.wishes = {}, .reserve = Reserve::whole});
                const bool whole = testing::read_all(file) == content;
                return report.outcome == Outcome::complete && whole ? 0 : 1;
              }),
              0)
        << number;
  }
}

TEST_F(ReservationTest, ATransferThatEndsEarlyLeavesNoBlocksBehind) {
  auto pipe = testing::open_pipe();
  testing::must(::write(pipe.writer.ref().number(), "few", 3), "write");
  pipe.writer = {};
  for (const Reserve reserve : {Reserve::ahead, Reserve::whole}) {
    const Descriptor file = file_holding("");
    const Report report = move(body_of(pipe.reader.ref(), {}, 32 * mebibyte), file,
                               {.wishes = {}, .reserve = reserve});
    EXPECT_EQ(report.outcome, Outcome::complete);
    EXPECT_EQ(space_of(file).size, report.bytes);
    EXPECT_LT(space_of(file).allocated, little);
  }
}

TEST(BestReserve, IsMadeOnlyWhereAMeasurementShowsItAhead) {
  Facts facts{.kind = Kind::regular, .file_system = "ext4"};
  EXPECT_EQ(best_reserve(facts, true), Reserve::whole);
  EXPECT_EQ(best_reserve(facts, false), Reserve::ahead);
  for (const auto* other : {"xfs", "btrfs", "tmpfs", "unknown", ""}) {
    facts.file_system = other;
    EXPECT_EQ(best_reserve(facts, true), Reserve::nothing) << other;
    EXPECT_EQ(best_reserve(facts, false), Reserve::nothing) << other;
  }
  EXPECT_EQ(best_reserve({.kind = Kind::pipe}, true), Reserve::nothing);
}

}  // namespace
}  // namespace headrace
