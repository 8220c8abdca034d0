#include "http/message/host.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace headrace::http {
namespace {

TEST(ParseHost, ReadsNameAndPort) {
  EXPECT_EQ(parse_host("Example.ORG"), (Host{"example.org", ""}));
  EXPECT_EQ(parse_host("h:8080"), (Host{"h", "8080"}));
  EXPECT_EQ(parse_host("h:"), (Host{"h", ""}));
  EXPECT_EQ(parse_host("127.0.0.1:0"), (Host{"127.0.0.1", "0"}));
  EXPECT_EQ(parse_host(""), (Host{"", ""}));
  EXPECT_EQ(parse_host("a_b-c.d~"), (Host{"a_b-c.d~", ""}));
}

TEST(ParseHost, ReadsVersion6InBrackets) {
  EXPECT_EQ(parse_host("[::1]"), (Host{"::1", ""}));
  EXPECT_EQ(parse_host("[FE80::1]:80"), (Host{"fe80::1", "80"}));
}

TEST(ParseHost, IsAbsentForWhatIsNoHost) {
  for (const std::string_view text :
       {"a b",     "a/b",        "a@b",         "a:b",
        "a:80:80", "a:-1",       "a:65536",     "a:99999999999999999999",
        "a: 80",   "::1",        "[::1",        "[",
        "[]",      "[a]",        "[127.0.0.1]", "[::1]a",
        "[::1]80", "[::1%25lo]", "a,b c",       "a\tb",
        "h\xFF",   "a\"b",       "<a>",         "a\\b",
        "a?",      "a#"}) {
    EXPECT_EQ(parse_host(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_host(std::string_view("[::1\0]", 6)), std::nullopt);
}

TEST(IsIpLiteral, KnowsAddresses) {
  for (const std::string_view text :
       {"127.0.0.1", "0.0.0.0", "::", "::1", "2001:db8::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(is_ip_literal(text)) << text;
  }
  for (const std::string_view text :
       {"", "localhost", "127.1", "127.0.0.1.", "1.2.3.4.5", "256.0.0.1", "0x7f.0.0.1",
        "2130706433", "[::1]", "::1%lo", "127.0.0.1 "}) {
    EXPECT_FALSE(is_ip_literal(text)) << text;
  }
  EXPECT_FALSE(is_ip_literal(std::string_view("127.0.0.1\0.evil", 15)));
}

TEST(HostAllowed, TakesAddressesLocalhostAndWhatWasAllowed) {
  const std::vector<std::string> allowed{"Files.Example", "other.example."};
  for (const std::string_view name :
       {"127.0.0.1", "::1", "192.0.2.1", "localhost", "LocalHost", "localhost.", "files.example",
        "FILES.example.", "other.example"}) {
    EXPECT_TRUE(host_allowed(name, allowed)) << name;
  }
}

TEST(HostAllowed, RefusesEveryOtherName) {
  const std::vector<std::string> allowed{"files.example", ""};
  for (const std::string_view name :
       {"", ".", "..", "evil.example", "localhost.evil.example", "evillocalhost", "a.localhost",
        "127.0.0.1.evil.example", "sub.files.example", "files.exampl", "127.1", "localhost.."}) {
    EXPECT_FALSE(host_allowed(name, allowed)) << name;
  }
}

}  // namespace
}  // namespace headrace::http
