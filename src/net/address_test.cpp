#include "net/address.hpp"

#include <gtest/gtest.h>

namespace headrace::net {
namespace {

using enum Address::Family;

void expect_address(std::string_view text, const Address& expected) {
  const auto parsed = parse_address(text);
  ASSERT_TRUE(parsed) << text << ": " << parsed.error().code.message();
  EXPECT_EQ(*parsed, expected) << text;
  EXPECT_EQ(to_string(*parsed), text);
}

void expect_fault(std::string_view text, AddressFault fault) {
  const auto parsed = parse_address(text);
  ASSERT_FALSE(parsed) << text;
  EXPECT_EQ(parsed.error().code, fault) << text << ": " << parsed.error().code.message();
  EXPECT_EQ(parsed.error().call, "address");
}

TEST(ParseAddress, ReadsHostAndPort) {
  expect_address("example.org:8080", {tcp, "example.org", "8080", {}});
  expect_address("127.0.0.1:0", {tcp, "127.0.0.1", "0", {}});
  expect_address("localhost:http", {tcp, "localhost", "http", {}});
  expect_address("h:65535", {tcp, "h", "65535", {}});
}

TEST(ParseAddress, ReadsVersion6InBrackets) {
  expect_address("[::1]:80", {tcp, "::1", "80", {}});
  expect_address("[fe80::1%eth0]:80", {tcp, "fe80::1%eth0", "80", {}});
}

TEST(ParseAddress, ReadsAPortAlone) { expect_address(":8080", {tcp, "", "8080", {}}); }

TEST(ParseAddress, ReadsUnixPathsAndAbstractNames) {
  expect_address("unix:/run/x", {unix_stream, {}, {}, "/run/x"});
  expect_address("unix:relative:with:colons", {unix_stream, {}, {}, "relative:with:colons"});
  expect_address("unix:@name", {unix_stream, {}, {}, "@name"});
}

TEST(ParseAddress, SaysWhatIsWrong) {
  expect_fault("", AddressFault::empty);
  expect_fault("http://example.org/", AddressFault::url);
  expect_fault("example.org", AddressFault::port_missing);
  expect_fault("example.org:", AddressFault::port_missing);
  expect_fault(":", AddressFault::port_missing);
  expect_fault("[::1]", AddressFault::port_missing);
  expect_fault("h:65536", AddressFault::port_malformed);
  expect_fault("h:99999999999999999999", AddressFault::port_malformed);
  expect_fault("h:-1", AddressFault::port_malformed);
  expect_fault("h:80 ", AddressFault::port_malformed);
  expect_fault("::1:80", AddressFault::brackets_missing);
  expect_fault("[::1:80", AddressFault::brackets_malformed);
  expect_fault("[]:80", AddressFault::brackets_malformed);
  expect_fault("[host]:80", AddressFault::brackets_malformed);
  expect_fault("[::1]80", AddressFault::brackets_malformed);
  expect_fault("a/b:80", AddressFault::host_malformed);
  expect_fault("a b:80", AddressFault::host_malformed);
  expect_fault("unix:", AddressFault::path_missing);
  expect_fault("unix:@", AddressFault::path_missing);
}

TEST(ParseAddress, NamesTheAcceptedFormsInEveryMessage) {
  for (const auto* text : {"", "x", "h:x y", "unix:", "[::1", "::1:80", "http://x"}) {
    const auto message = parse_address(text).error().code.message();
    EXPECT_NE(message.find("HOST:PORT, [IPv6]:PORT, :PORT, unix:PATH"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace headrace::net
