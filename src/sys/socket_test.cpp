#include "sys/socket.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>

#include <array>

namespace headrace::sys {
namespace {

std::array<Descriptor, 2> connected_pair() {
  std::array<int, 2> ends{-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

SocketAddress any_port_on_loopback() {
  SocketAddress address{.length = sizeof(sockaddr_in)};
  auto& name = reinterpret_cast<sockaddr_in&>(address.storage);
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

TEST(Socket, NamesTheCallThatFailed) {
  const DescriptorRef none;
  EXPECT_EQ(sys::socket(-1, 0, 0).error().call, "socket");
  EXPECT_EQ(bind(none, {}).error().call, "bind");
  EXPECT_EQ(listen(none, 1).error().call, "listen");
  EXPECT_EQ(accept4(none, 0).error().call, "accept4");
  EXPECT_EQ(connect(none, {}).error().call, "connect");
  EXPECT_EQ(shutdown(none, SHUT_WR).error().call, "shutdown");
  EXPECT_EQ(getsockname(none).error().call, "getsockname");
  EXPECT_EQ(getpeername(none).error().call, "getpeername");
  EXPECT_EQ(siocoutq(none).error().call, "ioctl(SIOCOUTQ)");
  EXPECT_EQ(getsockopt(none, option::send_buffer).error().call, "getsockopt(SO_SNDBUF)");
  EXPECT_EQ(setsockopt(none, option::send_buffer, 1).error().call, "setsockopt(SO_SNDBUF)");
  EXPECT_EQ(getsockopt_name(none, option::congestion).error().call, "getsockopt(TCP_CONGESTION)");
  EXPECT_EQ(setsockopt_name(none, option::congestion, "x").error().call,
            "setsockopt(TCP_CONGESTION)");
  EXPECT_EQ(listen(none, 1).error().code, std::errc::bad_file_descriptor);
}

TEST(Socket, ConnectsAndAcceptsWithTheAddressesOfBothEnds) {
  const auto listener = sys::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_TRUE(listener);
  ASSERT_TRUE(sys::bind(listener->ref(), any_port_on_loopback()));
  ASSERT_TRUE(sys::listen(listener->ref(), 1));
  const auto address = getsockname(listener->ref());
  ASSERT_TRUE(address);
  const auto client = sys::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_TRUE(client);
  ASSERT_TRUE(sys::connect(client->ref(), *address));
  const auto accepted = accept4(listener->ref(), SOCK_CLOEXEC);
  ASSERT_TRUE(accepted);
  const auto own = getsockname(client->ref());
  const auto seen = getpeername(accepted->socket.ref());
  ASSERT_TRUE(own && seen);
  const auto port = [](const SocketAddress& name) {
    return reinterpret_cast<const sockaddr_in&>(name.storage).sin_port;
  };
  EXPECT_EQ(port(*own), port(*seen));
  EXPECT_EQ(port(*own), port(accepted->peer));
  EXPECT_EQ(port(*getpeername(client->ref())), port(*address));
}

TEST(Socket, SetsAndReadsAnOption) {
  const auto [left, right] = connected_pair();
  ASSERT_TRUE(setsockopt(left.ref(), option::send_buffer, 50'000));
  const auto given = getsockopt(left.ref(), option::send_buffer);
  ASSERT_TRUE(given);
  EXPECT_EQ(*given, 100'000);
}

TEST(Socket, TellsWhatThePeerHasNotRead) {
  const auto [left, right] = connected_pair();
  EXPECT_EQ(siocoutq(left.ref()).value(), 0U);
  ASSERT_EQ(::send(left.ref().number(), "abc", 3, 0), 3);
  EXPECT_GE(siocoutq(left.ref()).value(), 3U);
  std::array<char, 3> buffer{};
  ASSERT_EQ(::recv(right.ref().number(), buffer.data(), buffer.size(), 0), 3);
  EXPECT_EQ(siocoutq(left.ref()).value(), 0U);
}

TEST(Socket, ShutsOneDirectionDown) {
  const auto [left, right] = connected_pair();
  ASSERT_TRUE(sys::shutdown(left.ref(), SHUT_WR));
  char byte = 0;
  EXPECT_EQ(::recv(right.ref().number(), &byte, 1, 0), 0);
  EXPECT_EQ(::send(right.ref().number(), "x", 1, 0), 1);
}

}  // namespace
}  // namespace headrace::sys
