#include "net/listen.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/eventfd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "net/accept.hpp"
#include "net/connect.hpp"
#include "net/resolve.hpp"

namespace headrace::net {
namespace {

Address address(std::string_view text) { return parse_address(text).value(); }

bool default_paces() {
  const auto socket = sys::socket(AF_INET, SOCK_STREAM, 0);
  return paces(sys::getsockopt_name(socket->ref(), sys::option::congestion).value());
}

std::string congestion_of(const Descriptor& socket) {
  return sys::getsockopt_name(socket.ref(), sys::option::congestion).value();
}

std::string port_of(const Listener& listener) {
  return listener.address.substr(listener.address.rfind(':'));
}

class UnixListen : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
    path_ = folder_ + "/socket";
    address_ = {Address::Family::unix_stream, {}, {}, path_};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // What a process leaves behind that was killed.
  void leave_stale_socket(int type = SOCK_STREAM) const {
    const auto socket = sys::socket(AF_UNIX, type, 0);
    ASSERT_TRUE(sys::bind(socket->ref(), resolve(address_, Use::listening)->front().address));
  }
  void expect_in_use() const {
    const auto listener = listen(address_);
    ASSERT_FALSE(listener);
    EXPECT_EQ(listener.error().code, std::errc::address_in_use);
    EXPECT_EQ(listener.error().call, "bind");
  }

  std::string folder_ = std::filesystem::temp_directory_path() / "headrace-XXXXXX";
  std::string path_;
  Address address_;
};

TEST(Listen, TellsThePortThatTheKernelChose) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  EXPECT_TRUE(listener->address.starts_with("127.0.0.1:"));
  EXPECT_NE(port_of(*listener), ":0");
  EXPECT_TRUE(connect(address(listener->address)));
}

TEST(Listen, TakesBothVersionsWhenNoHostIsGiven) {
  const auto listener = listen(address(":0"));
  ASSERT_TRUE(listener) << listener.error().code.message();
  EXPECT_TRUE(connect(address("127.0.0.1" + port_of(*listener))));
  if (!listener->address.starts_with("[::]:")) GTEST_SKIP() << "this machine has no IPv6";
  EXPECT_TRUE(connect(address("[::1]" + port_of(*listener))));
}

TEST(Listen, RefusesAPortThatIsTaken) {
  const auto first = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(first);
  const auto second = listen(address(first->address));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, std::errc::address_in_use);
}

TEST(Listen, LetsAcceptedSocketsInheritRenoOnLoopback) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const auto client = connect(address(listener->address));
  const auto connection = accept(*listener);
  ASSERT_TRUE(client && connection);
  EXPECT_EQ(connection->congestion.in_force, congestion_of(connection->socket));
  if (!default_paces()) GTEST_SKIP() << "the default congestion control does not pace";
  EXPECT_EQ(congestion_of(listener->socket), "reno");
  EXPECT_EQ(listener->congestion.before, connection->congestion.before);
  EXPECT_EQ(congestion_of(connection->socket), "reno");
  EXPECT_TRUE(paces(connection->congestion.before));
}

TEST(Listen, LeavesAWildcardListenerAsItIsAndChangesTheLocalPeersSocket) {
  if (!default_paces()) GTEST_SKIP() << "the default congestion control does not pace";
  const auto listener = listen(address("0.0.0.0:0"));
  ASSERT_TRUE(listener);
  EXPECT_TRUE(paces(congestion_of(listener->socket)));
  EXPECT_EQ(listener->congestion.before, "");
  const auto client = connect(address("127.0.0.1" + port_of(*listener)));
  const auto connection = accept(*listener);
  ASSERT_TRUE(client && connection);
  EXPECT_EQ(congestion_of(connection->socket), "reno");
  EXPECT_TRUE(paces(connection->congestion.before));
}

TEST(Listen, GivesItsWindowToAcceptedSockets) {
  const SocketOptions options{.window = 64 * kibibyte, .congestion = {}};
  const auto listener = listen(address("127.0.0.1:0"), options);
  ASSERT_TRUE(listener);
  const auto client = connect(address(listener->address));
  const auto connection = accept(*listener, options);
  ASSERT_TRUE(client && connection);
  EXPECT_EQ(connection->send_buffer, 128 * kibibyte);
  EXPECT_EQ(connection->receive_buffer, 128 * kibibyte);
}

TEST(Accept, TellsWhoCame) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const auto client = connect(address(listener->address));
  const auto connection = accept(*listener);
  ASSERT_TRUE(client && connection);
  EXPECT_TRUE(connection->peer.starts_with("127.0.0.1:"));
  EXPECT_NE(connection->peer, listener->address);
  EXPECT_TRUE(connection->peer_local);
  EXPECT_EQ(sys::getsockopt(connection->socket.ref(), sys::option::no_delay).value(), 1);
}

TEST(Accept, TakesAConnectionThatWasResetMeanwhile) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  {
    const auto client = connect(address(listener->address));
    ASSERT_TRUE(client);
    const linger reset{.l_onoff = 1, .l_linger = 0};
    ASSERT_EQ(
        ::setsockopt(client->socket.ref().number(), SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)),
        0);
  }
  const auto connection = accept(*listener);
  ASSERT_TRUE(connection) << connection.error().call << connection.error().code.message();
  EXPECT_TRUE(connection->peer.starts_with("127.0.0.1:"));
}

TEST(Accept, IsEndedByTheStop) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const Descriptor wake{::eventfd(0, EFD_CLOEXEC)};
  std::atomic<bool> requested{false};
  std::jthread stopper([&] {
    requested = true;
    ::eventfd_write(wake.ref().number(), 1);
  });
  const auto connection = accept(*listener, {}, {&requested, wake.ref()});
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, std::errc::operation_canceled);
}

TEST(Accept, GivesUpWhenTheTimeIsOver) {
  const auto listener = listen(address("127.0.0.1:0"));
  ASSERT_TRUE(listener);
  const auto connection = accept(*listener, {}, {}, std::chrono::milliseconds{1});
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, std::errc::timed_out);
}

TEST(Accept, PassesOnWhatIsNotTransient) {
  Listener none{.socket = Descriptor{::eventfd(1, EFD_CLOEXEC)},
                .address = {},
                .congestion = {},
                .notes = {},
                .file = {}};
  const auto connection = accept(none);
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, std::errc::not_a_socket);
  EXPECT_EQ(connection.error().call, "accept4");
}

TEST_F(UnixListen, RemovesItsFileAtTheEnd) {
  {
    const auto listener = listen(address_);
    ASSERT_TRUE(listener);
    EXPECT_TRUE(std::filesystem::is_socket(path_));
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(UnixListen, RemovesItsFileOnceWhenMoved) {
  {
    auto listener = listen(address_);
    ASSERT_TRUE(listener);
    const Listener moved = std::move(*listener);
    listener = fail("none", EINVAL);
    EXPECT_TRUE(std::filesystem::is_socket(path_));
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(UnixListen, LeavesAFileThatIsNotItsOwn) {
  {
    const auto listener = listen(address_);
    ASSERT_TRUE(listener);
    std::filesystem::rename(path_,
                            path_ + ".kept");  // keeps the inode number from being used again
    leave_stale_socket();
  }
  EXPECT_TRUE(std::filesystem::is_socket(path_));
}

TEST_F(UnixListen, ReplacesAStaleSocketFile) {
  leave_stale_socket();
  ASSERT_TRUE(std::filesystem::is_socket(path_));
  const auto listener = listen(address_);
  ASSERT_TRUE(listener) << listener.error().code.message();
  EXPECT_TRUE(connect(address_));
}

TEST_F(UnixListen, LeavesALiveListenerAloneAndUndisturbed) {
  const auto listener = listen(address_);
  ASSERT_TRUE(listener);
  expect_in_use();
  EXPECT_TRUE(std::filesystem::is_socket(path_));
  const auto ghost = accept(*listener, {}, {}, std::chrono::milliseconds{0});
  EXPECT_FALSE(ghost) << "the question must not look like a connection";
  EXPECT_TRUE(connect(address_));
}

TEST_F(UnixListen, LeavesABoundSocketThatDoesNotListenYet) {
  const auto socket = sys::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_TRUE(sys::bind(socket->ref(), resolve(address_, Use::listening)->front().address));
  expect_in_use();
}

TEST_F(UnixListen, LeavesALiveDatagramSocket) {
  const auto socket = sys::socket(AF_UNIX, SOCK_DGRAM, 0);
  ASSERT_TRUE(sys::bind(socket->ref(), resolve(address_, Use::listening)->front().address));
  expect_in_use();
}

TEST_F(UnixListen, LeavesWhatIsNoSocket) {
  std::ofstream(path_) << "precious";
  expect_in_use();
  EXPECT_EQ(std::filesystem::file_size(path_), 8U);
}

TEST_F(UnixListen, DoesNotFollowALinkToAStaleSocket) {
  leave_stale_socket();
  std::filesystem::rename(path_, path_ + ".real");
  std::filesystem::create_symlink(path_ + ".real", path_);
  expect_in_use();
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
}

TEST_F(UnixListen, GivesTheWindowToAcceptedSockets) {
  const SocketOptions options{.window = 50'000, .congestion = {}};
  const auto listener = listen(address_, options);
  ASSERT_TRUE(listener);
  const auto client = connect(address_);
  const auto connection = accept(*listener, options);
  ASSERT_TRUE(client && connection);
  EXPECT_EQ(connection->send_buffer, 100'000U);
  EXPECT_EQ(connection->peer, listener->address);
  EXPECT_TRUE(connection->peer_local);
}

}  // namespace
}  // namespace headrace::net
