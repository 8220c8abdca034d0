#include "net/local.hpp"

#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include <cstring>

#include "net/resolve.hpp"

namespace headrace::net {
namespace {

sys::SocketAddress address(std::string_view text) {
  return resolve(parse_address(text).value(), Use::connecting).value().front().address;
}

TEST(IsLocal, KnowsLoopbackInAllItsForms) {
  for (const auto* text : {"127.0.0.1:1", "127.255.0.9:1", "[::1]:1", "[::ffff:127.0.0.1]:1"}) {
    EXPECT_TRUE(is_loopback(address(text))) << text;
    EXPECT_TRUE(is_local(address(text))) << text;
  }
}

TEST(IsLocal, CountsTheUnspecifiedAddressAsLocalButNotAsLoopback) {
  for (const auto* text : {"0.0.0.0:1", "[::]:1"}) {
    EXPECT_FALSE(is_loopback(address(text))) << text;
    EXPECT_TRUE(is_local(address(text))) << text;
  }
}

TEST(IsLocal, TakesDocumentationAddressesForOthers) {
  for (const auto* text :
       {"192.0.2.1:1", "[2001:db8::1]:1", "[::ffff:192.0.2.1]:1", "128.0.0.1:1"}) {
    EXPECT_FALSE(is_loopback(address(text))) << text;
    EXPECT_FALSE(is_local(address(text))) << text;
  }
}

TEST(IsLocal, TakesUnixSocketsForLocal) { EXPECT_TRUE(is_local(address("unix:@x"))); }

TEST(IsLocal, KnowsTheAddressesOfOurInterfaces) {
  ifaddrs* list = nullptr;
  ASSERT_EQ(::getifaddrs(&list), 0);
  int seen = 0;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    sys::SocketAddress own{.length = sizeof(sockaddr_in)};
    std::memcpy(&own.storage, entry->ifa_addr, sizeof(sockaddr_in));
    EXPECT_TRUE(is_local(own)) << entry->ifa_name;
    ++seen;
  }
  ::freeifaddrs(list);
  if (seen == 0) GTEST_SKIP() << "no interface has an IPv4 address";
}

}  // namespace
}  // namespace headrace::net
