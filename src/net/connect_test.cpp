#include "net/connect.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "net/accept.hpp"
#include "net/listen.hpp"
#include "net/resolve.hpp"

namespace headrace::net {
namespace {

Address address(std::string_view text) { return parse_address(text).value(); }

Address address_of(const Listener& listener) { return address(listener.address); }

std::string congestion_in_force(const Connection& connection) {
  return sys::getsockopt_name(connection.socket.ref(), sys::option::congestion).value();
}

std::string default_congestion() {
  const auto socket = sys::socket(AF_INET, SOCK_STREAM, 0);
  return sys::getsockopt_name(socket->ref(), sys::option::congestion).value();
}

bool has_version_6() {
  const auto socket = sys::socket(AF_INET6, SOCK_STREAM, 0);
  const auto loopback = resolve(address("[::1]:0"), Use::listening);
  return socket && loopback && sys::bind(socket->ref(), loopback->front().address);
}

// A listener whose queue is full, so that a further connect has to wait.
struct FullListener {
  Listener listener;
  std::vector<Descriptor> waiting;
};

FullListener full_unix_listener() {
  const std::string name = "unix:@headrace-full-" + std::to_string(::getpid());
  FullListener full{listen(address(name)).value(), {}};
  EXPECT_TRUE(sys::listen(full.listener.socket.ref(), 0));
  const auto target = resolve(address(name), Use::connecting).value().front();
  for (;;) {
    auto socket = sys::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (!sys::connect(socket->ref(), target.address)) return full;
    full.waiting.push_back(std::move(*socket));
  }
}

TEST(Connect, GivesAReadySocketAndItsFacts) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const auto connection = connect(address_of(*listener));
  ASSERT_TRUE(connection) << connection.error().code.message();
  EXPECT_EQ(connection->peer, listener->address);
  EXPECT_TRUE(connection->peer_local);
  EXPECT_GT(connection->send_buffer, 0U);
  EXPECT_GT(connection->receive_buffer, 0U);
  const int number = connection->socket.ref().number();
  EXPECT_TRUE(::fcntl(number, F_GETFL) & O_NONBLOCK);
  EXPECT_TRUE(::fcntl(number, F_GETFD) & FD_CLOEXEC);
  EXPECT_EQ(sys::getsockopt(connection->socket.ref(), sys::option::no_delay).value(), 1);
}

TEST(Connect, ReachesVersion6) {
  if (!has_version_6()) GTEST_SKIP() << "this machine has no IPv6 loopback";
  const auto listener = listen(address("[::1]:0"));
  ASSERT_TRUE(listener) << listener.error().code.message();
  const auto connection = connect(address_of(*listener));
  ASSERT_TRUE(connection) << connection.error().code.message();
  EXPECT_TRUE(connection->peer.starts_with("[::1]:"));
  EXPECT_TRUE(connection->peer_local);
}

TEST(Connect, TriesEveryAddressOfAName) {
  // localhost is [::1] before 127.0.0.1 where it is both; only the latter listens.
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const auto port = listener->address.substr(listener->address.rfind(':'));
  const auto connection = connect(address("localhost" + port));
  ASSERT_TRUE(connection) << connection.error().code.message();
  EXPECT_EQ(connection->peer, listener->address);
}

TEST(Connect, ReachesUnixSocketsByPathAndByAbstractName) {
  std::string folder = std::filesystem::temp_directory_path() / "headrace-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string names[] = {"unix:" + folder + "/socket",
                               "unix:@headrace-connect-" + std::to_string(::getpid())};
  for (const auto& name : names) {
    const auto listener = listen(address(name));
    ASSERT_TRUE(listener) << name << ": " << listener.error().code.message();
    EXPECT_EQ(listener->address, name);
    const auto connection = connect(address(name));
    ASSERT_TRUE(connection) << name << ": " << connection.error().code.message();
    EXPECT_EQ(connection->peer, name);
    EXPECT_TRUE(connection->peer_local);
    EXPECT_EQ(connection->congestion.in_force, "");
  }
  std::filesystem::remove_all(folder);
}

TEST(Connect, TellsThatNobodyListens) {
  std::string name;
  {
    const auto listener = listen(address("127.0.0.1:0"));
    ASSERT_TRUE(listener);
    name = listener->address;
  }
  const auto connection = connect(address(name));
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, std::errc::connection_refused);
  EXPECT_EQ(connection.error().call, "connect");
}

TEST(Connect, EndsWhenStopped) {
  const FullListener full = full_unix_listener();
  const std::atomic<bool> requested{true};
  const auto connection = connect(address_of(full.listener), {}, {}, {&requested, {}});
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, std::errc::operation_canceled);
  EXPECT_EQ(connection.error().call, "connect");
}

TEST(Connect, GivesUpWhenTheTimeIsOver) {
  const FullListener full = full_unix_listener();
  const auto connection = connect(address_of(full.listener), {}, std::chrono::milliseconds{5});
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, std::errc::timed_out);
}

TEST(Connect, WaitsForRoomInAFullQueue) {
  const FullListener full = full_unix_listener();
  Result<Connection> connection = fail("connect", EINVAL);
  {
    std::jthread accepter([&] { EXPECT_TRUE(accept(full.listener)); });
    connection = connect(address_of(full.listener));
  }
  EXPECT_TRUE(connection) << connection.error().code.message();
}

TEST(Connect, TakesTheWindowBeforeConnecting) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const auto connection =
      connect(address_of(*listener), {.window = 64 * kibibyte, .congestion = {}});
  ASSERT_TRUE(connection);
  EXPECT_EQ(connection->send_buffer, 128 * kibibyte);
  EXPECT_EQ(connection->receive_buffer, 128 * kibibyte);
}

TEST(Connect, SurvivesAWindowBeyondAllNumbers) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const auto connection = connect(address_of(*listener), {.window = everything, .congestion = {}});
  ASSERT_TRUE(connection);
  EXPECT_GT(connection->send_buffer, 64 * kibibyte);
}

TEST(Connect, LeavesNoPacingControlOnALocalConnection) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const auto connection = connect(address_of(*listener));
  ASSERT_TRUE(connection);
  EXPECT_EQ(connection->congestion.in_force, congestion_in_force(*connection));
  if (!paces(default_congestion())) GTEST_SKIP() << "the default congestion control does not pace";
  EXPECT_EQ(connection->congestion.in_force, "reno");
  EXPECT_EQ(connection->congestion.before, default_congestion());
}

TEST(Connect, ObeysANamedCongestionControl) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const SocketOptions options{.window = {}, .congestion = default_congestion()};
  const auto connection = connect(address_of(*listener), options);
  ASSERT_TRUE(connection);
  EXPECT_EQ(congestion_in_force(*connection), default_congestion());
  EXPECT_EQ(connection->congestion.before, "");
}

TEST(Connect, RefusesACongestionControlThatTheKernelDoesNotHave) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  for (const auto* name : {"no-such-control", "reno-and-a-very-long-tail"}) {
    const auto connection = connect(address_of(*listener), {.window = {}, .congestion = name});
    ASSERT_FALSE(connection) << name;
    EXPECT_EQ(connection.error().code, std::errc::no_such_file_or_directory) << name;
    EXPECT_EQ(connection.error().call, "setsockopt(TCP_CONGESTION)");
  }
}

}  // namespace
}  // namespace headrace::net
