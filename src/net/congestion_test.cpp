#include "net/congestion.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>

#include "sys/socket.hpp"

namespace headrace::net {
namespace {

Descriptor tcp_socket() { return sys::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0).value(); }

std::string in_force(const Descriptor& socket) {
  return sys::getsockopt_name(socket.ref(), sys::option::congestion).value();
}

// The machine may have another default than bbr; where it has bbr at all, start from there.
bool start_from_bbr(const Descriptor& socket) {
  return sys::setsockopt_name(socket.ref(), sys::option::congestion, "bbr").has_value();
}

TEST(Paces, KnowsTheBbrFamily) {
  EXPECT_TRUE(paces("bbr"));
  EXPECT_TRUE(paces("bbr2"));
  EXPECT_FALSE(paces("reno"));
  EXPECT_FALSE(paces("cubic"));
  EXPECT_FALSE(paces(""));
}

TEST(ChooseCongestion, TakesRenoForALocalPeerWhereBbrIsInForce) {
  const Descriptor socket = tcp_socket();
  if (!start_from_bbr(socket)) GTEST_SKIP() << "this kernel does not offer bbr";
  const auto choice = choose_congestion(socket.ref(), true, {});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->congestion.in_force, "reno");
  EXPECT_EQ(choice->congestion.before, "bbr");
  EXPECT_EQ(choice->note, "");
  EXPECT_EQ(in_force(socket), "reno");
}

TEST(ChooseCongestion, LeavesBbrToOtherPeers) {
  const Descriptor socket = tcp_socket();
  if (!start_from_bbr(socket)) GTEST_SKIP() << "this kernel does not offer bbr";
  const auto choice = choose_congestion(socket.ref(), false, {});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->congestion.in_force, "bbr");
  EXPECT_EQ(choice->congestion.before, "");
  EXPECT_EQ(in_force(socket), "bbr");
}

TEST(ChooseCongestion, LeavesAControlThatDoesNotPace) {
  const Descriptor socket = tcp_socket();
  ASSERT_TRUE(sys::setsockopt_name(socket.ref(), sys::option::congestion, "reno"));
  const auto choice = choose_congestion(socket.ref(), true, {});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->congestion.in_force, "reno");
  EXPECT_EQ(choice->congestion.before, "");
}

TEST(ChooseCongestion, TakesWhatWasNamedForAnyPeer) {
  const Descriptor socket = tcp_socket();
  if (!start_from_bbr(socket)) GTEST_SKIP() << "this kernel does not offer bbr";
  const auto choice = choose_congestion(socket.ref(), false, "reno");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->congestion.in_force, "reno");
  EXPECT_EQ(choice->congestion.before, "bbr");
}

TEST(ChooseCongestion, FindsNothingToDoOnUnixSockets) {
  const auto socket = sys::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_TRUE(socket);
  const auto choice = choose_congestion(socket->ref(), true, {});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->congestion.in_force, "");
}

TEST(ChooseCongestion, RefusesANameOnUnixSockets) {
  const auto socket = sys::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_TRUE(socket);
  const auto choice = choose_congestion(socket->ref(), true, "reno");
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, std::errc::operation_not_supported);
}

}  // namespace
}  // namespace headrace::net
