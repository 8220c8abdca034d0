#include "net/finish.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "net/accept.hpp"
#include "net/connect.hpp"
#include "net/listen.hpp"
#include "net/outstanding.hpp"
#include "net/wait.hpp"
#include "sys/socket.hpp"

namespace headrace::net {
namespace {

using std::chrono::milliseconds;

// Enough for one look; tests that expect an end by themselves have no limit at all.
constexpr FinishLimits short_limits{.idle = milliseconds{20}, .grace = milliseconds{5}};

struct Pair {
  Descriptor sender;
  Descriptor peer;
};

Pair pair_on(std::string_view where) {
  const SocketOptions small{.window = 32 * kibibyte, .congestion = {}};
  const auto listener = listen(parse_address(where).value(), small).value();
  auto sender = connect(parse_address(listener.address).value(), small).value();
  auto peer = accept(listener, small).value();
  return {std::move(sender.socket), std::move(peer.socket)};
}

Pair tcp_pair() { return pair_on("127.0.0.1:0"); }
Pair unix_pair() { return pair_on("unix:@headrace-finish-" + std::to_string(::getpid())); }

Bytes send_some(const Descriptor& socket, std::size_t bytes) {
  const std::vector<char> data(bytes, 'x');
  const ssize_t sent = ::send(socket.ref().number(), data.data(), bytes, MSG_NOSIGNAL);
  return sent < 0 ? 0 : static_cast<Bytes>(sent);
}

// Sends until nothing more is taken.
Bytes fill(const Descriptor& socket) {
  Bytes sent = 0;
  while (const Bytes more = send_some(socket, 4096)) sent += more;
  return sent;
}

Bytes queued_at(const Descriptor& peer) {
  int bytes = 0;
  EXPECT_EQ(::ioctl(peer.ref().number(), FIONREAD, &bytes), 0);
  return static_cast<Bytes>(bytes);
}

// Waits for a condition that the kernel brings about by itself.
template <class Condition>
void until(Condition condition) {
  for (BackOff back_off; !condition();) {
    ASSERT_TRUE(wait_for(DescriptorRef{}, 0, back_off.next({}), {}));
  }
}

// Sends until the window is full and no acknowledgement is due any more: then every byte is either
// at the peer or unacknowledged.
Bytes fill_and_settle(const Pair& pair) {
  Bytes sent = fill(pair.sender);
  until([&] {
    sent += fill(pair.sender);
    return unacknowledged(pair.sender.ref()).value() > 0 &&
           queued_at(pair.peer) + *unacknowledged(pair.sender.ref()) == sent;
  });
  return sent;
}

Bytes read_to_end(const Descriptor& peer) {
  Bytes total = 0;
  std::array<char, 4096> buffer{};
  for (;;) {
    EXPECT_TRUE(wait_for(peer.ref(), POLLIN, {}, {}));
    const ssize_t got = ::recv(peer.ref().number(), buffer.data(), buffer.size(), 0);
    if (got <= 0) return total;
    total += static_cast<Bytes>(got);
  }
}

class FinishOn : public testing::TestWithParam<const char*> {
 protected:
  Pair pair() const { return std::string_view{GetParam()} == "tcp" ? tcp_pair() : unix_pair(); }
  bool is_tcp() const { return std::string_view{GetParam()} == "tcp"; }
};
INSTANTIATE_TEST_SUITE_P(Families, FinishOn, testing::Values("tcp", "unix"),
                         [](const auto& family) { return std::string(family.param); });

TEST_P(FinishOn, WaitsUntilThePeerHasEverythingAndHasEnded) {
  Pair pair = this->pair();
  const Bytes sent = fill(pair.sender);
  Bytes received = 0;
  Finish end;
  {
    std::jthread reader([&] {
      received = read_to_end(pair.peer);
      pair.peer = Descriptor{};
    });
    end = finish(pair.sender.ref());
  }
  EXPECT_EQ(received, sent);
  EXPECT_FALSE(end.error) << end.error->code.message();
  EXPECT_TRUE(end.peer_ended);
  EXPECT_EQ(end.unacknowledged, Bytes{0});
  EXPECT_EQ(end.note, "");
}

TEST_P(FinishOn, GoesOnWaitingWhenThePeerEndedItsSideFirst) {
  const Pair pair = this->pair();
  const Bytes sent = fill(pair.sender);
  ASSERT_TRUE(sys::shutdown(pair.peer.ref(), SHUT_WR));
  Bytes received = 0;
  Finish end;
  {
    std::jthread reader([&] { received = read_to_end(pair.peer); });
    end = finish(pair.sender.ref());
  }
  EXPECT_EQ(received, sent);
  EXPECT_TRUE(end.peer_ended);
  EXPECT_FALSE(end.error);
  EXPECT_EQ(end.unacknowledged, Bytes{0});
}

TEST_P(FinishOn, DiscardsWhatThePeerSays) {
  Pair pair = this->pair();
  ASSERT_EQ(send_some(pair.peer, 1000), 1000U);
  ASSERT_TRUE(sys::shutdown(pair.peer.ref(), SHUT_WR));
  const auto end = finish(pair.sender.ref());
  EXPECT_EQ(end.discarded, 1000U);
  EXPECT_TRUE(end.peer_ended);
  EXPECT_FALSE(end.error);
}

TEST_P(FinishOn, ReturnsWhenAPeerThatHasEverythingNeverCloses) {
  const Pair pair = this->pair();
  ASSERT_EQ(send_some(pair.sender, 1000), 1000U);
  std::array<char, 1000> buffer{};
  ASSERT_TRUE(wait_for(pair.peer.ref(), POLLIN, {}, {}));
  ASSERT_EQ(::recv(pair.peer.ref().number(), buffer.data(), buffer.size(), 0), 1000);
  const auto end = finish(pair.sender.ref(), {.idle = {}, .grace = milliseconds{5}});
  EXPECT_FALSE(end.error);
  EXPECT_FALSE(end.peer_ended);
  EXPECT_EQ(end.unacknowledged, Bytes{0});
  EXPECT_NE(end.note, "");
}

TEST_P(FinishOn, GivesUpOnAPeerThatDoesNotRead) {
  const Pair pair = this->pair();
  const Bytes sent = is_tcp() ? fill_and_settle(pair) : fill(pair.sender);
  const auto end = finish(pair.sender.ref(), short_limits);
  ASSERT_TRUE(end.error);
  EXPECT_EQ(end.error->code, std::errc::timed_out);
  EXPECT_FALSE(end.peer_ended);
  if (is_tcp()) {
    EXPECT_EQ(end.unacknowledged.value() + queued_at(pair.peer), sent);
  } else {
    EXPECT_EQ(end.unacknowledged, std::nullopt);
  }
}

TEST_P(FinishOn, TellsOfAPeerThatVanishesWithUnreadBytes) {
  Pair pair = this->pair();
  ASSERT_EQ(send_some(pair.sender, 1000), 1000U);
  ASSERT_TRUE(wait_for(pair.peer.ref(), POLLIN, {}, {}));
  pair.peer = Descriptor{};
  const auto end = finish(pair.sender.ref());
  ASSERT_TRUE(end.error);
  EXPECT_EQ(end.error->code, std::errc::connection_reset);
  EXPECT_FALSE(end.error->call.empty());
  EXPECT_LE(end.unacknowledged.value_or(0), 1000U);
}

TEST_P(FinishOn, TellsOfAPeerThatVanishesWhileWeWait) {
  Pair pair = this->pair();
  fill(pair.sender);
  Finish end;
  {
    std::jthread waiting([&] { end = finish(pair.sender.ref()); });
    // The half-close is the first thing finish() does: a second one changes nothing.
    until([&] { return send_some(pair.sender, 1) == 0 && errno == EPIPE; });
    pair.peer = Descriptor{};
  }
  ASSERT_TRUE(end.error);
  EXPECT_EQ(end.error->code, std::errc::connection_reset);
}

TEST_P(FinishOn, IsEndedByTheStop) {
  const Pair pair = this->pair();
  fill(pair.sender);
  const Descriptor wake{::eventfd(0, EFD_CLOEXEC)};
  std::atomic<bool> requested{false};
  std::jthread stopper([&] {
    requested = true;
    ::eventfd_write(wake.ref().number(), 1);
  });
  const auto end = finish(pair.sender.ref(), {}, {&requested, wake.ref()});
  ASSERT_TRUE(end.error);
  EXPECT_EQ(end.error->code, std::errc::operation_canceled);
}

TEST(Finish, CountsExactlyWhatWasNotAcknowledgedBeforeAReset) {
  Pair pair = tcp_pair();
  const Bytes sent = fill_and_settle(pair);
  const Bytes at_peer = queued_at(pair.peer);
  pair.peer = Descriptor{};  // unread bytes: the kernel resets
  const auto end = finish(pair.sender.ref());
  ASSERT_TRUE(end.error);
  EXPECT_EQ(end.error->code, std::errc::connection_reset);
  EXPECT_EQ(end.unacknowledged, sent - at_peer);
}

TEST(Finish, DoesNotCountItsOwnFinAsAByte) {
  Pair pair = tcp_pair();
  const Bytes sent = fill_and_settle(pair);
  const Bytes at_peer = queued_at(pair.peer);
  Finish end;
  {
    std::jthread waiting([&] { end = finish(pair.sender.ref()); });
    until([&] { return unacknowledged(pair.sender.ref()) == sent - at_peer + 1; });
    pair.peer = Descriptor{};
  }
  ASSERT_TRUE(end.error);
  EXPECT_EQ(end.error->code, std::errc::connection_reset);
  EXPECT_EQ(end.unacknowledged, sent - at_peer);
}

TEST(Finish, SeesAResetThatFollowsThePeersEnd) {
  Pair pair = tcp_pair();
  fill_and_settle(pair);
  ASSERT_TRUE(sys::shutdown(pair.peer.ref(), SHUT_WR));
  Finish end;
  {
    std::jthread waiting([&] { end = finish(pair.sender.ref()); });
    until([&] { return send_some(pair.sender, 1) == 0 && errno == EPIPE; });
    pair.peer = Descriptor{};
  }
  EXPECT_TRUE(end.error);
  EXPECT_GT(end.unacknowledged.value_or(0), 0U);
}

TEST(Finish, FailsOnASocketThatIsNotConnected) {
  const auto socket = sys::socket(AF_INET, SOCK_STREAM, 0);
  const auto end = finish(socket->ref());
  ASSERT_TRUE(end.error);
  EXPECT_EQ(end.error->code, std::errc::not_connected);
  EXPECT_EQ(end.error->call, "shutdown");
}

TEST(Unacknowledged, IsAbsentWhereItCannotBeAsked) {
  const Descriptor event{::eventfd(0, EFD_CLOEXEC)};
  EXPECT_EQ(unacknowledged(event.ref()), std::nullopt);
}

TEST(Abandon, ATcpPeerSeesAResetAndNoEnd) {
  Pair pair = tcp_pair();
  ASSERT_EQ(::send(pair.sender.ref().number(), "part", 4, 0), 4);
  EXPECT_LE(abandon(pair.sender.ref()).value_or(99), 4U);
  pair.sender = Descriptor{};
  pollfd end{.fd = pair.peer.ref().number(), .events = POLLIN, .revents = 0};
  ssize_t count = 0;
  do {  // the four bytes may still be there, and then the reset
    std::array<char, 16> got{};
    ASSERT_EQ(::poll(&end, 1, 10'000), 1);
    count = ::recv(pair.peer.ref().number(), got.data(), got.size(), 0);
  } while (count > 0);
  EXPECT_EQ(count, -1);
  EXPECT_EQ(errno, ECONNRESET);
}

TEST(Abandon, AUnixSocketKnowsNoReset) {
  Pair pair = unix_pair();
  EXPECT_EQ(abandon(pair.sender.ref()), std::nullopt);
}

}  // namespace
}  // namespace headrace::net
