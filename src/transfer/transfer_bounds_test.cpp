#include "transfer/transfer_testing.hpp"

// Limits, observers, pace, and sources that change under a transfer.
namespace headrace {
namespace {

using namespace transfer_testing;
using testing::file_holding;
using testing::Mode;
using testing::offset_of;
using testing::open_file;
using testing::open_pipe;
using testing::random_bytes;
using testing::read_all;

const Names file_movers{"copy_file_range", "sendfile", "splice_pipe", "read_write"};

TEST(TransferLimit, IsNeverPassed) {
  const Descriptor endless = open_file("/dev/zero", O_RDONLY);
  for (const auto* method : {"sendfile", "splice_pipe", "read_write"}) {
    const Descriptor destination = file_holding("");
    Options options = only({method, "read_write"});  // older kernels splice no /dev/zero
    const Report report = move(limited(body_of_file(endless), mebibyte + 1), destination, options);
    EXPECT_EQ(report.outcome, Outcome::complete) << method;
    EXPECT_EQ(report.bytes, mebibyte + 1) << method;
    EXPECT_EQ(read_all(destination), std::string(mebibyte + 1, '\0')) << method;
  }
}

TEST(TransferLimit, CountsOverAllPieces) {
  const Descriptor file = file_holding("0123456789");
  Body body{.pieces = {}, .limit = {}, .rate = {}, .observers = {}};
  for (const Bytes offset : {0U, 4U, 8U}) body.pieces.push_back({Plain{file.ref()}, offset, 4});
  const Descriptor destination = file_holding("");
  EXPECT_EQ(move(limited(body, 6), destination).bytes, 6U);
  EXPECT_EQ(read_all(destination), "012345");
}

TEST(TransferLimit, OfZeroTakesNothing) {
  auto pipe = open_pipe();
  testing::must(::write(pipe.writer.ref().number(), "kept", 4), "write");
  const Descriptor destination = file_holding("");
  const Report report = move(limited(body_of_file(pipe.reader), 0), destination);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.bytes, 0U);
  EXPECT_EQ(waiting_in(pipe.reader), 4U);
}

TEST(TransferLimit, LeavesTheRestOfAStreamToItsOwner) {
  auto pipe = open_pipe();
  testing::must(::write(pipe.writer.ref().number(), "head and rest", 13), "write");
  const Descriptor destination = file_holding("");
  move(limited(body_of_file(pipe.reader), 4), destination);
  EXPECT_EQ(read_all(destination), "head");
  EXPECT_EQ(waiting_in(pipe.reader), 9U);
}

void expect_running_totals(const std::vector<Bytes>& seen, Bytes total) {
  ASSERT_FALSE(seen.empty());
  EXPECT_TRUE(std::ranges::is_sorted(seen, std::ranges::less_equal{}));
  EXPECT_EQ(seen.back(), total);
}

TEST(TransferObserver, SeesGrowingTotalsOverAllPiecesAndTheLastIsAll) {
  const std::string content = random_bytes(200'000);
  const Descriptor file = file_holding(content);
  std::vector<Bytes> first;
  std::vector<Bytes> second;
  Body body{.pieces = {{Plain{file.ref()}, 0, {}}, {Plain{file.ref()}, 100'000, {}}},
            .limit = {},
            .rate = {},
            .observers = {}};
  body = observed(body, [&](Bytes moved) { first.push_back(moved); });
  body = observed(body, [&](Bytes moved) { second.push_back(moved); });
  const Descriptor destination = file_holding("");
  const Report report = move(in_portions(body, 300'000, 6), destination);
  EXPECT_EQ(report.bytes, 300'000U);
  expect_running_totals(first, 300'000);
  EXPECT_EQ(first, second);
  EXPECT_GE(first.size(), 3U);
}

TEST(TransferObserver, SeesTheBytesThatAreThere) {
  const std::string content = random_bytes(200'000);
  const Descriptor source = file_holding(content);
  auto pipe = open_pipe(Mode::nonblocking, 65536);
  std::vector<Bytes> seen;
  std::string received;
  const Body body = observed(body_of_file(source), [&](Bytes moved) {
    seen.push_back(moved);
    EXPECT_EQ(received.size() + waiting_in(pipe.reader), moved);
    std::string piece(waiting_in(pipe.reader), '\0');
    testing::must(::read(pipe.reader.ref().number(), piece.data(), piece.size()), "read");
    received += piece;
  });
  EXPECT_EQ(move(body, pipe.writer).outcome, Outcome::complete);
  expect_running_totals(seen, 200'000);
  EXPECT_EQ(received, content);
}

TEST(TransferPace, MovesEveryByteByEveryMethod) {
  const std::string content = random_bytes(100'000);
  for (const auto& method : file_movers) {
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding("");
    const Body body = in_portions(body_of_file(source), 100'000, 3);
    const Report report = move(body, destination, only({method}));
    EXPECT_EQ(report.outcome, Outcome::complete) << method;
    EXPECT_GE(report.legs[0].waits, 2U) << method;
    EXPECT_EQ(read_all(destination), content) << method;
  }
}

TEST(TransferPace, ItsOwnWaitsAreNoSilence) {
  const std::string content = random_bytes(3'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  const Body body = in_portions(body_of_file(source), 3'000, 3);
  const Report report =
      move(body, destination, {.wishes = {}, .idle_timeout = std::chrono::milliseconds{1}});
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(read_all(destination), content);
}

TEST(TransferChanges, ASourceThatShrinksIsTold) {
  const std::string content = random_bytes(300'000);
  for (const auto& method : file_movers) {
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding("");
    const Body body = after_first_turn(in_portions(body_of_file(source), 300'000, 3),
                                       [&](Bytes moved) { truncate(source, moved + 10); });
    const Report report = move(body, destination, only({method}));
    EXPECT_EQ(report.outcome, Outcome::source_changed) << method;
    EXPECT_EQ(report.bytes, read_all(source).size()) << method;
    EXPECT_TRUE(has_note(report.notes, "of 300000 bytes")) << method;
    EXPECT_EQ(read_all(destination), content.substr(0, report.bytes)) << method;
    EXPECT_EQ(offset_of(source), report.bytes) << method;
  }
}

TEST(TransferChanges, ASourceThatShrinksBelowWhatWasMovedIsTold) {
  const std::string content = random_bytes(300'000);
  for (const auto& method : file_movers) {
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding("");
    Bytes moved = 0;
    const Body body =
        after_first_turn(in_portions(body_of_file(source), 300'000, 3), [&](Bytes bytes) {
          moved = bytes;
          truncate(source, 0);
        });
    const Report report = move(body, destination, only({method}));
    EXPECT_EQ(report.outcome, Outcome::source_changed) << method;
    EXPECT_EQ(report.bytes, moved) << method;
    EXPECT_EQ(read_all(destination), content.substr(0, moved)) << method;
  }
}

TEST(TransferChanges, ASourceThatGrowsIsMovedAsItWasAndTheGrowthNoted) {
  const std::string content = random_bytes(300'000);
  for (const auto& method : file_movers) {
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding("");
    const Body body = after_first_turn(in_portions(body_of_file(source), 300'000, 3),
                                       [&](Bytes) { truncate(source, 300'077); });
    const Report report = move(body, destination, only({method}));
    EXPECT_EQ(report.outcome, Outcome::complete) << method;
    EXPECT_TRUE(has_note(report.notes, "grew by 77 bytes")) << method;
    EXPECT_EQ(read_all(destination), content) << method;
  }
}

}  // namespace
}  // namespace headrace
