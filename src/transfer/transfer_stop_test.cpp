#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <thread>

#include "transfer/transfer_testing.hpp"

// Ends that come from outside: the caller's stop, silence, a destination that is gone.
namespace headrace {
namespace {

using namespace transfer_testing;
using testing::file_holding;
using testing::Mode;
using testing::offset_of;
using testing::open_pipe;
using testing::random_bytes;
using testing::read_all;

constexpr std::chrono::milliseconds soon{50};

Options stopped_by(const Brake& brake, Names methods = {}) {
  Options options = only(std::move(methods));
  options.stop = brake.stop();
  return options;
}

TEST(TransferStop, BeforeTheFirstByteNothingMoves) {
  const Descriptor source = file_holding("bytes");
  const Descriptor destination = file_holding("");
  Brake brake;
  brake.pull();
  const Report report = move(body_of_file(source), destination, stopped_by(brake));
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_EQ(report.bytes, 0U);
  ASSERT_EQ(report.legs.size(), 1U);
  EXPECT_EQ(report.legs[0].ending, Ending::paused);
  EXPECT_EQ(report.legs[0].calls, 0U);
  EXPECT_EQ(offset_of(source), 0U);
}

// Nobody waits here: the engines themselves have to see the flag between two calls. (Older kernels
// splice no /dev/zero.)
TEST(TransferStop, EndsATransferThatNeverWaits) {
  for (const char* const method : {"sendfile", "splice_pipe", "read_write"}) {
    const Descriptor source{testing::must(::open("/dev/zero", O_RDONLY), "open")};
    const Descriptor destination{testing::must(::open("/dev/null", O_WRONLY), "open")};
    Brake brake;
    std::optional<Report> report;
    {
      std::jthread worker{[&] {
        report = move(body_of_file(source), destination, stopped_by(brake, {method, "read_write"}));
      }};
      brake.pull();
    }
    EXPECT_EQ(report->outcome, Outcome::interrupted) << method;
    EXPECT_EQ(report->stranded, 0U) << method;
  }
}

TEST(TransferStop, BetweenTwoTurnsTheCountsAreExact) {
  const std::string content = random_bytes(300'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  Brake brake;
  Bytes seen = 0;
  const Body body =
      after_first_turn(in_portions(body_of_file(source), 300'000, 3), [&](Bytes moved) {
        seen = moved;
        brake.raise_flag();
      });
  const Report report = move(body, destination, stopped_by(brake));
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_EQ(report.bytes, seen);
  EXPECT_EQ(report.legs.back().ending, Ending::paused);
  EXPECT_EQ(read_all(destination), content.substr(0, seen));
  EXPECT_EQ(offset_of(source), seen);
}

TEST(TransferStop, AFlagWithoutADescriptorIsEnough) {
  const Descriptor source = file_holding(random_bytes(300'000));
  const Descriptor destination = file_holding("");
  std::atomic<bool> requested{false};
  const Body body = after_first_turn(in_portions(body_of_file(source), 300'000, 3),
                                     [&](Bytes) { requested = true; });
  Options options;
  options.stop = {.requested = &requested, .wake = {}};
  EXPECT_EQ(move(body, destination, options).outcome, Outcome::interrupted);
}

TEST(TransferStop, LaterPiecesAreNotBegun) {
  const Descriptor first = file_holding("first");
  const Descriptor second = file_holding("second");
  const Descriptor destination = file_holding("");
  Brake brake;
  const Body body =
      observed({.pieces = {{Plain{first.ref()}, {}, {}}, {Plain{second.ref()}, {}, {}}},
                .limit = {},
                .rate = {},
                .observers = {}},
               [&](Bytes) { brake.raise_flag(); });
  const Report report = move(body, destination, stopped_by(brake));
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_EQ(read_all(destination), "first");
  EXPECT_EQ(offset_of(second), 0U);
}

// The full pipe is waited for when another thread pulls the brake.
TEST(TransferStop, EndsAWaitForTheDestination) {
  for (const auto* method : {"splice", "read_write"}) {
    const Descriptor source = file_holding(random_bytes(300'000));
    const auto pipe = open_pipe(Mode::blocking, 65536);
    Brake brake;
    std::jthread other;
    const Body body = after_first_turn(body_of_file(source),
                                       [&](Bytes) { other = std::jthread([&] { brake.pull(); }); });
    const Report report = move(body, pipe.writer, stopped_by(brake, {method}));
    EXPECT_EQ(report.outcome, Outcome::interrupted) << method;
    EXPECT_EQ(report.bytes, waiting_in(pipe.reader)) << method;
    EXPECT_EQ(offset_of(source), report.bytes) << method;
    EXPECT_GT(report.bytes, 0U) << method;
  }
}

TEST(TransferStop, EndsAWaitForTheSource) {
  const auto pipe = open_pipe();
  const Descriptor destination = file_holding("");
  Brake brake;
  const std::jthread other([&] { brake.pull(); });
  const Report report = move(body_of_file(pipe.reader), destination, stopped_by(brake));
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_EQ(report.bytes, 0U);
}

TEST(TransferStop, EndsAWaitForThePace) {
  const Descriptor source = file_holding(random_bytes(1'000));
  const Descriptor destination = file_holding("");
  Brake brake;
  const std::jthread other([&] { brake.pull(); });
  const Report report = move(paced(body_of_file(source), 1), destination, stopped_by(brake));
  EXPECT_EQ(report.outcome, Outcome::interrupted);  // it would take a quarter of an hour
  EXPECT_EQ(report.bytes, offset_of(source));
}

TEST(TransferStop, BytesTakenFromAStreamAndNotDeliveredAreTold) {
  auto socket = testing::connected_unix(Mode::nonblocking);
  const auto sent = testing::fill(socket.far.ref());
  const auto pipe = open_pipe(Mode::nonblocking, 4096);
  Brake brake;
  const Body body = after_first_turn(body_of_file(socket.near), [&](Bytes) { brake.pull(); });
  const Report report = move(body, pipe.writer, stopped_by(brake, {"read_write"}));
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_EQ(report.bytes, waiting_in(pipe.reader));
  EXPECT_GT(report.stranded, 0U);
  EXPECT_EQ(report.bytes + report.stranded + waiting_in(socket.near), sent);
}

TEST(TransferIdle, APipeThatNobodyReadsTimesOut) {
  for (const auto* method : {"splice", "read_write"}) {
    const Descriptor source = file_holding(random_bytes(300'000));
    const auto pipe = open_pipe(Mode::blocking, 65536);
    Options options = only({method});
    options.idle_timeout = soon;
    const Report report = move(body_of_file(source), pipe.writer, options);
    EXPECT_EQ(report.outcome, Outcome::failed) << method;
    ASSERT_EQ(report.legs.size(), 1U);
    EXPECT_EQ(report.legs[0].ending, Ending::failed) << method;
    EXPECT_EQ(number_of(report.legs[0].error), ETIMEDOUT) << method;
    EXPECT_EQ(report.bytes, waiting_in(pipe.reader)) << method;
    EXPECT_EQ(offset_of(source), report.bytes) << method;
  }
}

TEST(TransferIdle, ASocketThatNobodyReadsTimesOutWithItsCount) {
  for (const auto* method : {"sendfile", "splice_pipe", "read_write"}) {
    const std::string content = random_bytes(16 * mebibyte);
    const Descriptor source = file_holding(content);
    auto socket = testing::connected_tcp(Mode::nonblocking);
    const int small = 16'384;
    testing::must(
        ::setsockopt(socket.near.ref().number(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small),
        "setsockopt");
    Options options = only({method});
    options.idle_timeout = soon;
    const Report report = move(body_of_file(source), socket.near, options);
    EXPECT_EQ(report.outcome, Outcome::failed) << method;
    EXPECT_EQ(number_of(report.legs.back().error), ETIMEDOUT) << method;
    EXPECT_LT(report.bytes, content.size()) << method;
    socket.near = {};
    EXPECT_EQ(testing::Drain(socket.far).bytes(), content.substr(0, report.bytes)) << method;
  }
}

TEST(TransferIdle, ASilentSourceTimesOut) {
  const auto pipe = open_pipe();
  testing::must(::write(pipe.writer.ref().number(), "then silence", 12), "write");
  const Descriptor destination = file_holding("");
  const Report report =
      move(body_of_file(pipe.reader), destination, {.wishes = {}, .idle_timeout = soon});
  EXPECT_EQ(report.outcome, Outcome::failed);
  EXPECT_EQ(number_of(report.legs.back().error), ETIMEDOUT);
  EXPECT_EQ(report.bytes, 12U);
  EXPECT_EQ(read_all(destination), "then silence");
}

// A peer that sends back all it reads, and reads nothing while it cannot: an echo server.
TEST(TransferReplies, APeerThatAnswersWhileItReadsBlocksNobody) {
  const std::string content = random_bytes(8'000'000);
  const Descriptor source = file_holding(content);
  auto socket = testing::connected_tcp(Mode::nonblocking);
  std::string echoed;
  const std::jthread echo{[&, far = socket.far.ref().number()] {
    testing::must(::fcntl(far, F_SETFL, 0), "fcntl");
    std::vector<char> buffer(100'000);
    for (;;) {
      const ssize_t got = ::recv(far, buffer.data(), buffer.size(), 0);
      if (got <= 0) return;
      echoed.append(buffer.data(), static_cast<std::size_t>(got));
      if (::send(far, buffer.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) < 0) return;
    }
  }};
  const Report report =
      move(body_of_file(source), socket.near,
           {.idle_timeout = std::chrono::seconds{20}, .replies = Replies::discarded});
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.bytes, content.size());
  EXPECT_TRUE(has_note(report.notes, "bytes that the peer sent back were thrown away"));
  socket.near = {};  // a reset: the echo may stand in a send that nobody reads any more
}

// A source that says nothing, and a destination that nobody will read any more.
Report waiting_for_nobody(const Descriptor& destination) {
  const auto silent = open_pipe();
  return move(body_of_file(silent.reader), destination);
}

void expect_gone(const Report& report) {
  EXPECT_EQ(report.outcome, Outcome::failed);
  ASSERT_FALSE(report.legs.empty());
  EXPECT_EQ(number_of(report.legs.back().error), EPIPE);
  EXPECT_EQ(report.bytes, 0U);
}

TEST(TransferGone, APipesReaderIsMissedWhileTheSourceIsSilent) {
  auto pipe = open_pipe();
  pipe.reader = {};
  expect_gone(waiting_for_nobody(pipe.writer));
}

TEST(TransferGone, ATcpPeerIsMissedWhileTheSourceIsSilent) {
  auto socket = testing::connected_tcp();
  testing::close_with_reset(std::move(socket.far));
  expect_gone(waiting_for_nobody(socket.near));
}

TEST(TransferGone, AUnixPeerIsMissedWhileTheSourceIsSilent) {
  auto socket = testing::connected_unix();
  socket.far = {};
  expect_gone(waiting_for_nobody(socket.near));
}

TEST(TransferGone, APeerThatOnlySaidItsLastWordIsThere) {
  for (const bool tcp : {false, true}) {
    const auto socket = tcp ? testing::connected_tcp() : testing::connected_unix();
    testing::must(::shutdown(socket.far.ref().number(), SHUT_WR), "shutdown");
    const auto silent = open_pipe();
    const Report report =
        move(body_of_file(silent.reader), socket.near, {.wishes = {}, .idle_timeout = soon});
    EXPECT_EQ(number_of(report.legs.back().error), ETIMEDOUT);
  }
}

}  // namespace
}  // namespace headrace
