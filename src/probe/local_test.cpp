#include "probe/local.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include <cstring>
#include <string>

namespace headrace {
namespace {

sys::SocketAddress address(const std::string& host) {
  sys::SocketAddress made;
  sockaddr_in four{};
  sockaddr_in6 six{};
  if (::inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    std::memcpy(&made.storage, &four, sizeof four);
    made.length = sizeof four;
  } else if (::inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    std::memcpy(&made.storage, &six, sizeof six);
    made.length = sizeof six;
  }
  return made;
}

TEST(IsLocal, KnowsLoopbackInAllItsForms) {
  for (const auto* text : {"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(is_loopback(address(text))) << text;
    EXPECT_TRUE(is_local(address(text))) << text;
  }
}

TEST(IsLocal, CountsTheUnspecifiedAddressAsLocalButNotAsLoopback) {
  for (const auto* text : {"0.0.0.0", "::"}) {
    EXPECT_FALSE(is_loopback(address(text))) << text;
    EXPECT_TRUE(is_local(address(text))) << text;
  }
}

TEST(IsLocal, TakesDocumentationAddressesForOthers) {
  for (const auto* text : {"192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", "128.0.0.1"}) {
    EXPECT_FALSE(is_loopback(address(text))) << text;
    EXPECT_FALSE(is_local(address(text))) << text;
  }
}

TEST(IsLocal, TakesUnixSocketsForLocal) {
  sys::SocketAddress made{.length = sizeof(sa_family_t)};
  made.storage.ss_family = AF_UNIX;
  EXPECT_TRUE(is_local(made));
}

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
}  // namespace headrace
