#include "net/resolve.hpp"

#include <gtest/gtest.h>
#include <netdb.h>

#include <atomic>

#include "net/socket_text.hpp"
#include "probe/local.hpp"

namespace headrace::net {
namespace {

Address address(std::string_view text) { return parse_address(text).value(); }

std::vector<std::string> texts(const Address& wanted, Use use) {
  std::vector<std::string> all;
  const auto found = resolve(wanted, use);
  if (!found) return {found.error().code.message()};
  for (const auto& entry : *found) all.push_back(entry.text);
  return all;
}

TEST(Resolve, TakesNumbersAsTheyAre) {
  EXPECT_EQ(texts(address("127.0.0.1:80"), Use::connecting),
            std::vector<std::string>{"127.0.0.1:80"});
  EXPECT_EQ(texts(address("[::1]:80"), Use::connecting), std::vector<std::string>{"[::1]:80"});
}

TEST(Resolve, FindsTheLoopbackAddressesOfLocalhost) {
  const auto found = resolve(address("localhost:80"), Use::connecting);
  ASSERT_TRUE(found) << found.error().code.message();
  ASSERT_FALSE(found->empty());
  for (const auto& entry : *found) EXPECT_TRUE(is_loopback(entry.address)) << entry.text;
}

TEST(Resolve, MeansLoopbackByAMissingHostWhenConnecting) {
  const auto found = resolve(address(":80"), Use::connecting);
  ASSERT_TRUE(found);
  for (const auto& entry : *found) EXPECT_TRUE(is_loopback(entry.address)) << entry.text;
}

TEST(Resolve, MeansEveryAddressByAMissingHostWhenListening) {
  const auto all = texts(address(":80"), Use::listening);
  for (const auto& text : all) EXPECT_TRUE(text == "[::]:80" || text == "0.0.0.0:80") << text;
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front(), all.size() > 1 ? "[::]:80" : all.back());
}

TEST(Resolve, KeepsTheWordsOfALookupThatFailed) {
  const auto found = resolve(address("127.0.0.1:no-such-service"), Use::connecting);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().call, "getaddrinfo");
  EXPECT_EQ(found.error().code.category(), lookup_category());
  EXPECT_EQ(found.error().code.message(), ::gai_strerror(found.error().code.value()));
}

TEST(Resolve, EndsWhenStopped) {
  const std::atomic<bool> requested{true};
  // No lookup of this name can succeed (RFC 6761), so the answer is either the stop or its failure.
  const auto found = resolve(address("name.invalid:80"), Use::connecting, {}, {&requested, {}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().call, "getaddrinfo");
}

TEST(Resolve, TakesUnixPathsUpToTheLimit) {
  const std::string longest(107, 'x');
  EXPECT_EQ(texts({Address::Family::unix_stream, {}, {}, longest}, Use::listening),
            std::vector<std::string>{"unix:" + longest});
  const auto longer =
      resolve({Address::Family::unix_stream, {}, {}, longest + "x"}, Use::listening);
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().code, std::errc::filename_too_long);
}

TEST(Resolve, ShowsAbstractNamesWithTheirAt) {
  EXPECT_EQ(texts(address("unix:@name"), Use::connecting), std::vector<std::string>{"unix:@name"});
}

TEST(SocketText, ShowsMappedAddressesAsVersion4) {
  EXPECT_EQ(texts(address("[::ffff:10.1.2.3]:7"), Use::connecting),
            std::vector<std::string>{"10.1.2.3:7"});
}

TEST(SocketText, ShowsAnUnnamedUnixSocket) {
  sys::SocketAddress unnamed{.length = sizeof(sa_family_t)};
  unnamed.storage.ss_family = AF_UNIX;
  EXPECT_EQ(text_of(unnamed), "unix:");
}

}  // namespace
}  // namespace headrace::net
