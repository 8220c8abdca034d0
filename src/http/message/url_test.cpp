#include "http/message/url.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace headrace::http {
namespace {

Url url(std::string_view text) {
  const auto parsed = parse_url(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().code.message();
  return parsed ? *parsed : Url{};
}

void expect_fault(std::string_view text, UrlFault fault) {
  const auto parsed = parse_url(text);
  ASSERT_FALSE(parsed) << text << " is " << to_string(*parsed);
  EXPECT_EQ(parsed.error().code, fault) << text << ": " << parsed.error().code.message();
}

TEST(ParseUrl, TakesAUrlApart) {
  EXPECT_EQ(url("http://Example.org/a/b?c=d#e"), (Url{"http", "example.org", "80", "/a/b?c=d"}));
  EXPECT_EQ(url("HTTPS://h"), (Url{"https", "h", "443", "/"}));
  EXPECT_EQ(url("http://h:8080/"), (Url{"http", "h", "8080", "/"}));
  EXPECT_EQ(url("http://h:/"), (Url{"http", "h", "80", "/"}));
  EXPECT_EQ(url("http://h:0080/"), (Url{"http", "h", "80", "/"}));
  EXPECT_EQ(url("http://h?q"), (Url{"http", "h", "80", "/?q"}));
  EXPECT_EQ(url("http://h#f?x"), (Url{"http", "h", "80", "/"}));
  EXPECT_EQ(url("http://127.0.0.1:1/"), (Url{"http", "127.0.0.1", "1", "/"}));
}

TEST(ParseUrl, ReadsVersion6InBrackets) {
  EXPECT_EQ(url("http://[::1]/x"), (Url{"http", "::1", "80", "/x"}));
  EXPECT_EQ(url("http://[2001:DB8::1]:81"), (Url{"http", "2001:db8::1", "81", "/"}));
  EXPECT_EQ(url("http://[fe80::1%25eth0]/"), (Url{"http", "fe80::1%eth0", "80", "/"}));
  EXPECT_EQ(url("http://[fe80::1%eth0]/"), (Url{"http", "fe80::1%eth0", "80", "/"}));
}

TEST(ParseUrl, EncodesWhatAUrlCannotHaveAndNothingTwice) {
  EXPECT_EQ(url("http://h/a b").target, "/a%20b");
  EXPECT_EQ(url("http://h/\xC3\xA9?\"<>").target, "/%C3%A9?%22%3C%3E");
  EXPECT_EQ(url("http://h/a%20b%zz%").target, "/a%20b%zz%");
  EXPECT_EQ(url("http://h/a;b=c,d+e!$&'()*@:~").target, "/a;b=c,d+e!$&'()*@:~");
}

TEST(ParseUrl, RemovesDotSegments) {
  EXPECT_EQ(url("http://h/a/../b").target, "/b");
  EXPECT_EQ(url("http://h/../../b").target, "/b");
  EXPECT_EQ(url("http://h/a/.").target, "/a/");
  EXPECT_EQ(url("http://h/a/..").target, "/");
  EXPECT_EQ(url("http://h/a//b/").target, "/a//b/");
  EXPECT_EQ(url("http://h/...").target, "/...");
  EXPECT_EQ(url("http://h/a?/../b").target, "/a?/../b");
}

TEST(ParseUrl, SaysWhatIsWrong) {
  expect_fault("", UrlFault::scheme_missing);
  expect_fault("/a", UrlFault::scheme_missing);
  expect_fault("//h/a", UrlFault::scheme_missing);
  expect_fault("example.org", UrlFault::scheme_missing);
  expect_fault("localhost:8080/f", UrlFault::scheme_missing);
  expect_fault("127.0.0.1:80", UrlFault::scheme_missing);
  expect_fault("ftp://h/", UrlFault::scheme_unknown);
  expect_fault("file:///etc/passwd", UrlFault::scheme_unknown);
  expect_fault("httpx://h/", UrlFault::scheme_unknown);
  expect_fault("http:", UrlFault::host_missing);
  expect_fault("http:h/x", UrlFault::host_missing);
  expect_fault("http:/h/x", UrlFault::host_missing);
  expect_fault("http://", UrlFault::host_missing);
  expect_fault("http:///x", UrlFault::host_missing);
  expect_fault("http://:80/", UrlFault::host_missing);
  expect_fault("http://user@h/", UrlFault::user_info);
  expect_fault("http://user:secret@h/", UrlFault::user_info);
  expect_fault("http://good.example\\@evil.example/", UrlFault::user_info);
  expect_fault("http://a b/", UrlFault::host_malformed);
  expect_fault("http://a%20b/", UrlFault::host_malformed);
  expect_fault("http://h\xC3\xA9/", UrlFault::host_malformed);
  expect_fault("http://a\\b/", UrlFault::host_malformed);
  expect_fault("http://[::1/", UrlFault::host_malformed);
  expect_fault("http://[]/", UrlFault::host_malformed);
  expect_fault("http://[h]/", UrlFault::host_malformed);
  expect_fault("http://[127.0.0.1]/", UrlFault::host_malformed);
  expect_fault("http://[::1]x/", UrlFault::host_malformed);
  expect_fault("http://[::1%]/", UrlFault::host_malformed);
  expect_fault("http://[::1%25a/b]/", UrlFault::host_malformed);
  expect_fault("http://::1/", UrlFault::host_missing);
  expect_fault("http://h:0/", UrlFault::port_malformed);
  expect_fault("http://h:65536/", UrlFault::port_malformed);
  expect_fault("http://h:http/", UrlFault::port_malformed);
  expect_fault("http://h:-1/", UrlFault::port_malformed);
  expect_fault("http://h:80:80/", UrlFault::port_malformed);
  expect_fault("http://h/a\r\nX-Injected: 1", UrlFault::control_character);
  expect_fault("http://h/\x7f", UrlFault::control_character);
  expect_fault(std::string_view("http://h/\0", 10), UrlFault::control_character);
}

TEST(ToString, GivesWhatParseUrlReads) {
  for (const std::string text : {"http://h/", "https://h/a?b", "http://h:8080/", "https://h:80/x",
                                 "http://[::1]:81/", "http://[fe80::1%25eth0]/"}) {
    EXPECT_EQ(to_string(url(text)), text);
    EXPECT_EQ(url(to_string(url(text))), url(text));
  }
  EXPECT_EQ(to_string(url("http://h:80")), "http://h/");
  EXPECT_EQ(to_string(url("https://h:443")), "https://h/");
}

TEST(HostField, HasThePortOnlyWhereItIsAnother) {
  EXPECT_EQ(host_field(url("http://h/")), "h");
  EXPECT_EQ(host_field(url("https://h/")), "h");
  EXPECT_EQ(host_field(url("https://h:80/")), "h:80");
  EXPECT_EQ(host_field(url("http://[::1]:8080/")), "[::1]:8080");
  EXPECT_EQ(host_field(url("http://[fe80::1%25eth0]:1/")), "[fe80::1]:1");
}

TEST(Origin, TellsServersApart) {
  EXPECT_EQ(origin(url("http://h:80/a?b")), "http://h");
  EXPECT_EQ(origin(url("http://H/a")), origin(url("http://h:80/b?c")));
  EXPECT_NE(origin(url("http://h/")), origin(url("https://h/")));
  EXPECT_NE(origin(url("http://h/")), origin(url("http://h:81/")));
  EXPECT_NE(origin(url("http://[fe80::1%25a]/")), origin(url("http://[fe80::1%25b]/")));
}

TEST(FileName, IsTheLastSegmentDecodedOnce) {
  EXPECT_EQ(file_name(url("http://h/a/b%20c.txt?d=/e")), "b c.txt");
  EXPECT_EQ(file_name(url("http://h/a%253ab")), "a%3ab");
  EXPECT_EQ(file_name(url("http://h/a%zz")), "a%zz");
  EXPECT_EQ(file_name(url("http://h/..%5Cx")), "..\\x");
  EXPECT_EQ(file_name(url("http://h/%FF")), "\xFF");
}

TEST(FileName, IsEmptyWhereNoFileCanHaveIt) {
  for (const std::string_view text :
       {"http://h", "http://h/", "http://h/a/", "http://h/?x", "http://h/%2e%2e", "http://h/%2E",
        "http://h/a/..", "http://h/..%2f..%2fetc%2fpasswd", "http://h/%2fetc", "http://h/a%00b"}) {
    EXPECT_EQ(file_name(url(text)), "") << text;
  }
}

// RFC 3986 5.4, with http for the scheme.
TEST(Resolve, AnswersTheTableOfTheStandard) {
  const Url base = url("http://a/b/c/d;p?q");
  const std::vector<std::pair<std::string_view, std::string_view>> table{
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g/"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q"},
      {"g#s", "http://a/b/c/g"},
      {"g?y#s", "http://a/b/c/g?y"},
      {";x", "http://a/b/c/;x"},
      {"g;x", "http://a/b/c/g;x"},
      {"g;x?y#s", "http://a/b/c/g;x?y"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"../../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {".g", "http://a/b/c/.g"},
      {"g..", "http://a/b/c/g.."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/./x", "http://a/b/c/g?y/./x"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
  };
  for (const auto& [reference, expected] : table) {
    const auto resolved = resolve(base, reference);
    ASSERT_TRUE(resolved) << reference << ": " << resolved.error().code.message();
    EXPECT_EQ(to_string(*resolved), expected) << reference;
  }
}

TEST(Resolve, GoesToOtherServersAndSchemes) {
  const Url base = url("https://a:8443/b");
  EXPECT_EQ(resolve(base, "http://c/d"), url("http://c/d"));
  EXPECT_EQ(resolve(base, "//c/d"), url("https://c/d"));
  EXPECT_EQ(resolve(base, "//[::1]:5/d"), url("https://[::1]:5/d"));
  EXPECT_EQ(resolve(base, "/d e"), url("https://a:8443/d%20e"));
  EXPECT_EQ(resolve(base, "d:e/f").error().code, UrlFault::scheme_unknown);
  EXPECT_EQ(resolve(base, "./d:e"), url("https://a:8443/d:e"));
}

TEST(Resolve, RefusesWhatParseUrlRefuses) {
  const Url base = url("http://a/b");
  EXPECT_EQ(resolve(base, "mailto:x@y").error().code, UrlFault::scheme_unknown);
  EXPECT_EQ(resolve(base, "file:///etc/passwd").error().code, UrlFault::scheme_unknown);
  EXPECT_EQ(resolve(base, "http:g").error().code, UrlFault::host_missing);
  EXPECT_EQ(resolve(base, "//user@h/").error().code, UrlFault::user_info);
  EXPECT_EQ(resolve(base, "//").error().code, UrlFault::host_missing);
  EXPECT_EQ(resolve(base, "/a\rb").error().code, UrlFault::control_character);
}

}  // namespace
}  // namespace headrace::http
