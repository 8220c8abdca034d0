#include <sys/syscall.h>

#include <cerrno>

#include "support/deny.hpp"
#include "transfer/transfer_testing.hpp"

// Contracts, classes, exposure, and what a refusal or a failure leaves of an old content.
namespace headrace {
namespace {

using namespace transfer_testing;
using testing::file_holding;
using testing::Mode;
using testing::open_pipe;
using testing::random_bytes;
using testing::read_all;

TEST(TransferContract, ADefaultOneIsKeptWhereItCanBe) {
  const Descriptor source = file_holding("bytes");
  const auto pipe = open_pipe(Mode::nonblocking);
  const Report report = move(body_of_file(source), pipe.writer,
                             {.wishes = {}, .fallback_contract = Contract::stable});
  EXPECT_EQ(report.contract, Contract::stable);
  EXPECT_EQ(methods_of(report), Names{"read_write"});
  EXPECT_FALSE(report.peer_memory);
}

TEST(TransferContract, ADefaultOneYieldsToARequiredClass) {
  const Descriptor source = file_holding("bytes");
  const auto pipe = open_pipe(Mode::nonblocking);
  Options options{.wishes = {}, .fallback_contract = Contract::stable};
  options.wishes.require = PathClass::kernel;
  const Report report = move(body_of_file(source), pipe.writer, options);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.contract, Contract::live);
  EXPECT_EQ(class_of(report), PathClass::kernel);
}

TEST(TransferContract, OneThatWasAskedForDoesNot) {
  const Descriptor source = file_holding("bytes");
  const auto pipe = open_pipe(Mode::nonblocking);
  Options options;
  options.wishes.require = PathClass::kernel;
  options.wishes.contract = Contract::stable;
  const Report report = move(body_of_file(source), pipe.writer, options);
  EXPECT_EQ(report.outcome, Outcome::refused);
  EXPECT_TRUE(report.legs.empty());
  EXPECT_FALSE(report.refused.empty());
  EXPECT_EQ(waiting_in(pipe.reader), 0U);
}

Report sent(const Descriptor& source, const Descriptor& destination, const char* method) {
  return move(body_of(source.ref(), 0, 5), destination, only({method}));
}

TEST(TransferExposure, BytesSentByReferenceToAReaderOnThisMachineAreTold) {
  const Descriptor source = file_holding("bytes");
  const auto pipe = open_pipe(Mode::nonblocking);
  const auto tcp = testing::connected_tcp(Mode::nonblocking);
  const auto unix = testing::connected_unix(Mode::nonblocking);
  EXPECT_TRUE(sent(source, pipe.writer, "splice").peer_memory);
  EXPECT_TRUE(sent(source, tcp.near, "sendfile").peer_memory);
  EXPECT_TRUE(sent(source, unix.near, "splice_pipe").peer_memory);
}

TEST(TransferExposure, NothingIsExposedInAFileOrByACopy) {
  const Descriptor source = file_holding("bytes");
  const Descriptor file = file_holding("");
  const auto pipe = open_pipe(Mode::nonblocking);
  const auto tcp = testing::connected_tcp(Mode::nonblocking);
  EXPECT_FALSE(sent(source, file, "sendfile").peer_memory);
  EXPECT_FALSE(sent(source, pipe.writer, "read_write").peer_memory);
  EXPECT_FALSE(sent(source, tcp.near, "read_write").peer_memory);
  EXPECT_FALSE(move(body_of(pipe.reader.ref(), {}, 5), tcp.near, only({"splice"})).peer_memory)
      << "a pipe's bytes are nobody's file";
}

TEST(TransferTruncate, OldContentGoes) {
  const Descriptor source = file_holding("new");
  for (const Names& methods : {Names{}, Names{"sendfile"}}) {
    const Descriptor destination = file_holding("an older content");
    Options options = only(methods);
    options.truncate = true;
    EXPECT_EQ(move(body_of(source.ref(), 0), destination, options).outcome, Outcome::complete);
    EXPECT_EQ(read_all(destination), "new");
  }
}

TEST(TransferTruncate, AnEmptySourceEmptiesTheDestination) {
  const Descriptor source = file_holding("");
  for (const Names& methods : {Names{}, Names{"read_write"}}) {
    const Descriptor destination = file_holding("an older content");
    Options options = only(methods);
    options.truncate = true;
    EXPECT_EQ(move(body_of_file(source), destination, options).outcome, Outcome::complete);
    EXPECT_EQ(read_all(destination), "");
  }
}

TEST(TransferTruncate, WhatStandsBeforeThePositionStays) {
  const Descriptor source = file_holding("new");
  const Descriptor destination = file_holding("an older content");
  seek(destination, 3);
  move(body_of_file(source), destination, {.wishes = {}, .truncate = true});
  EXPECT_EQ(read_all(destination), "an new");
}

TEST(TransferTruncate, OnlyRegularFilesAreEmptied) {
  const Descriptor source = file_holding("new");
  const auto pipe = open_pipe();
  EXPECT_EQ(move(body_of_file(source), pipe.writer, {.wishes = {}, .truncate = true}).outcome,
            Outcome::complete);
  EXPECT_EQ(waiting_in(pipe.reader), 3U);
}

TEST(TransferTruncate, ARefusalByTheWishesTouchesNothing) {
  const Descriptor source = file_holding("new");
  const Descriptor destination = file_holding("an older content");
  Options options = only({"splice"});  // no end is a pipe
  options.truncate = true;
  EXPECT_EQ(move(body_of_file(source), destination, options).outcome, Outcome::refused);
  EXPECT_EQ(read_all(destination), "an older content");
}

TEST(TransferTruncate, ARefusalWhenTriedTouchesNothing) {
  EXPECT_EQ(testing::run_in_child([] {
              testing::deny_call(SYS_copy_file_range, EXDEV);
              const Descriptor source = file_holding("new");
              const Descriptor destination = file_holding("an older content");
              Options options = only({"copy_file_range"});
              options.truncate = true;
              const Report report = move(body_of_file(source), destination, options);
              const bool untouched = read_all(destination) == "an older content";
              return report.outcome == Outcome::refused && untouched ? 0 : 1;
            }),
            0);
}

TEST(TransferTruncate, AStopBeforeTheFirstByteOfANamedMethodTouchesNothing) {
  const Descriptor source = file_holding("new");
  const Descriptor destination = file_holding("an older content");
  Brake brake;
  brake.pull();
  Options options = only({"sendfile"});
  options.truncate = true;
  options.stop = brake.stop();
  EXPECT_EQ(move(body_of_file(source), destination, options).outcome, Outcome::interrupted);
  EXPECT_EQ(read_all(destination), "an older content");
}

TEST(TransferTruncate, NoOldByteStandsBehindAPart) {
  const std::string content = random_bytes(200'000);
  for (const Names& methods : {Names{}, Names{"sendfile"}}) {
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding(std::string(300'000, 'o'));
    Brake brake;
    Options options = only(methods);
    options.truncate = true;
    options.stop = brake.stop();
    const Body body = after_first_turn(in_portions(body_of_file(source), 200'000, 2),
                                       [&](Bytes) { brake.raise_flag(); });
    const Report report = move(body, destination, options);
    EXPECT_EQ(report.outcome, Outcome::interrupted);
    EXPECT_GT(report.bytes, 0U);
    EXPECT_EQ(read_all(destination), content.substr(0, report.bytes));
  }
}

}  // namespace
}  // namespace headrace
