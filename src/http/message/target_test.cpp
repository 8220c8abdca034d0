#include "http/message/target.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace headrace::http {
namespace {

std::string path_of(std::string_view text) {
  const auto target = parse_target(text);
  return target ? target->path : "fault: " + target.error().code.message();
}

void expect_fault(std::string_view text, TargetFault fault, int status) {
  const auto target = parse_target(text);
  ASSERT_FALSE(target) << text << " is " << target->path;
  EXPECT_EQ(target.error().code, fault) << text << ": " << target.error().code.message();
  EXPECT_EQ(answering_status(fault), status) << text;
}

TEST(ParseTarget, ReadsTheOriginForm) {
  EXPECT_EQ(parse_target("/"), (Target{.path = "/"}));
  EXPECT_EQ(parse_target("/a/b"), (Target{.path = "/a/b"}));
  EXPECT_EQ(parse_target("/a/b/"), (Target{.path = "/a/b/"}));
  EXPECT_EQ(parse_target("/a?x=1&y=%zz?/../"), (Target{.path = "/a", .query = "x=1&y=%zz?/../"}));
  EXPECT_EQ(parse_target("/?"), (Target{.path = "/"}));
}

TEST(ParseTarget, TakesTheAbsoluteFormByItsPath) {
  EXPECT_EQ(parse_target("http://x/a%20b?q"),
            (Target{.path = "/a b", .query = "q", .authority = "x"}));
  EXPECT_EQ(parse_target("HTTPS://h:8443/"), (Target{.path = "/", .authority = "h:8443"}));
  EXPECT_EQ(parse_target("http://[::1]:80"), (Target{.path = "/", .authority = "[::1]:80"}));
  EXPECT_EQ(parse_target("http://h?q"), (Target{.path = "/", .query = "q", .authority = "h"}));
}

TEST(ParseTarget, ReadsTheAsterisk) {
  EXPECT_EQ(parse_target("*"), (Target{.asterisk = true}));
  expect_fault("**", TargetFault::malformed, 400);
  EXPECT_EQ(path_of("/*"), "/*");
}

TEST(ParseTarget, DecodesOnceAndKeepsEveryByte) {
  EXPECT_EQ(path_of("/%66"), "/f");
  EXPECT_EQ(path_of("/%252e%252e/secret"), "/%2e%2e/secret");
  EXPECT_EQ(path_of("/%252e%252e%252fsecret"), "/%2e%2e%2fsecret");
  EXPECT_EQ(path_of("/a+b"), "/a+b");
  EXPECT_EQ(path_of("/%c0%ae%c0%ae/secret"), "/\xC0\xAE\xC0\xAE/secret");
  EXPECT_EQ(path_of("/\xC3\xA9"), "/\xC3\xA9");
}

TEST(ParseTarget, LeavesOutEmptySegments) {
  EXPECT_EQ(path_of("//"), "/");
  EXPECT_EQ(path_of("//a///b//"), "/a/b/");
  EXPECT_EQ(path_of("//tmp/secret"), "/tmp/secret");
  EXPECT_EQ(path_of("http://x//a"), "/a");
}

// Everything by which a server was ever talked out of its folder.
TEST(ParseTarget, RefusesEverySpellingOfTheParent) {
  for (const std::string_view text :
       {"/../secret", "/%2e%2e/secret", "/%2E%2e/secret", "/.%2e/secret", "/a/../../secret",
        "//../secret", "/./../secret", "/.", "/..", "/a/..", "/a/.", "/a/%2e", "/a/../f",
        "http://x/../secret", "http://x/%2e%2e/secret"}) {
    expect_fault(text, TargetFault::dots, 404);
  }
  for (const std::string_view text :
       {"/..%2fsecret", "/%2e%2e%2fsecret", "/a/..%2f..%2fsecret", "/a%2f..%2f..%2fsecret",
        "/%2ftmp/secret", "/%2F", "/a%2Fb"}) {
    expect_fault(text, TargetFault::slash, 404);
  }
}

TEST(ParseTarget, TakesNamesThatOnlyLookLikeTheParent) {
  EXPECT_EQ(path_of("/..%5csecret"), "/..\\secret");
  EXPECT_EQ(path_of("/..;/secret"), "/..;/secret");
  EXPECT_EQ(path_of("/..."), "/...");
  EXPECT_EQ(path_of("/..a/a.."), "/..a/a..");
  EXPECT_EQ(path_of("/%2e%2e%2e"), "/...");
  EXPECT_EQ(path_of("/.hidden"), "/.hidden");
}

TEST(ParseTarget, RefusesNul) {
  expect_fault("/f%00/../../secret", TargetFault::nul, 400);
  expect_fault("/..%00/secret", TargetFault::nul, 400);
  expect_fault("/f%00.txt", TargetFault::nul, 400);
  expect_fault("/%00%2f", TargetFault::nul, 400);
}

TEST(ParseTarget, RefusesABadEscape) {
  for (const std::string_view text : {"/%", "/a%zz", "/a%2", "/a%/b", "/%2/f", "/%%30%30"}) {
    expect_fault(text, TargetFault::escape, 400);
  }
}

TEST(ParseTarget, RefusesCharactersThatMayNotStand) {
  expect_fault("/a b", TargetFault::character, 400);
  expect_fault("/a#b", TargetFault::character, 400);
  expect_fault("/a?q#b", TargetFault::character, 400);
  expect_fault("/a\r\nX: 1", TargetFault::character, 400);
  expect_fault("/a\tb", TargetFault::character, 400);
  expect_fault("/a\x7f", TargetFault::character, 400);
  expect_fault(std::string_view("/a\0b", 4), TargetFault::character, 400);
}

TEST(ParseTarget, RefusesOtherForms) {
  for (const std::string_view text :
       {"", "a", "..%2fsecret", "..", "?q", "example.org:443", "ftp://h/", "http:/a", "http:///a",
        "http://", "http://user@h/", "http://h:x/", "http://[::1/", "http://h:99999/", "://h/"}) {
    expect_fault(text, TargetFault::malformed, 400);
  }
}

TEST(ParseTarget, GivesBackWhatWasEncoded) {
  for (const std::string name :
       {"a b",      "a#b", "a?b", "a%3ab", "a+b", "a&b;c=d", "\xC3\xA9.txt", "\xFF\xFE.bin",
        "a\\b",     "..a", "a..", "...",   "-rf", "a'b",     "a\"b",         "a\r\nX-Injected: 1",
        "<script>", "*",   "a:b", "~a"}) {
    EXPECT_EQ(path_of("/" + encode_segment(name)), "/" + name);
    EXPECT_EQ(path_of(encode_path("/d e/" + name + "/")), "/d e/" + name + "/");
  }
  const std::string longest(255, 'x');
  EXPECT_EQ(path_of("/" + encode_segment(longest)), "/" + longest);
}

TEST(EncodeSegment, LeavesNothingThatEndsALineOrAnAttribute) {
  EXPECT_EQ(encode_segment("a\r\nX-Injected: 1"), "a%0D%0AX-Injected%3A%201");
  EXPECT_EQ(encode_segment("\"'<>&/"), "%22%27%3C%3E%26%2F");
  EXPECT_EQ(encode_path("/a b/\"c"), "/a%20b/%22c");
}

}  // namespace
}  // namespace headrace::http
