#include "http/message/content_disposition.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace headrace::http {
namespace {

TEST(DispositionFileName, ReadsTokensAndQuotedStrings) {
  const std::vector<std::pair<std::string_view, std::string_view>> table{
      {"attachment; filename=a.txt", "a.txt"},
      {"attachment; filename=\"a b.txt\"", "a b.txt"},
      {"inline;FileName=\"a;b=c.txt\" ; x=y", "a;b=c.txt"},
      {"attachment; x=\"; filename=no\"; filename=yes", "yes"},
      {R"(attachment; filename="a\"b")", "a\"b"},
      {"attachment; filename = a.txt", "a.txt"},
      {"attachment; filename=a b.txt", "a b.txt"},
      {"attachment; filename=\"a%20b\"", "a%20b"},
      {"attachment; filename=one; filename=two", "one"},
      {"attachment; filename=\"caf\xC3\xA9\"", "caf\xC3\xA9"},
  };
  for (const auto& [value, name] : table) EXPECT_EQ(disposition_file_name(value), name) << value;
}

TEST(DispositionFileName, PrefersTheEncodedForm) {
  const std::vector<std::pair<std::string_view, std::string_view>> table{
      {"attachment; filename=\"e.txt\"; filename*=UTF-8''%e2%82%ac.txt", "\xE2\x82\xAC.txt"},
      {"attachment; filename*=utf-8'en'%C3%A9; filename=e", "\xC3\xA9"},
      {"attachment; filename*=iso-8859-1''caf%E9", "caf\xC3\xA9"},
      {"attachment; filename*=UTF-8''a%2525", "a%25"},
  };
  for (const auto& [value, name] : table) EXPECT_EQ(disposition_file_name(value), name) << value;
}

TEST(DispositionFileName, FallsBackWhereTheEncodedFormIsNone) {
  for (const std::string_view extended :
       {"UTF-8''%zz", "UTF-8''%FF", "UTF-8'a", "a", "", "x-unknown''a", "UTF-8''", "UTF-8''%00",
        "UTF-8''..", "'"}) {
    const std::string value = "attachment; filename*=" + std::string(extended) + "; filename=plain";
    EXPECT_EQ(disposition_file_name(value), "plain") << value;
  }
}

TEST(DispositionFileName, IsNeverAPath) {
  const std::vector<std::pair<std::string_view, std::string_view>> table{
      {"attachment; filename=\"/etc/passwd\"", "passwd"},
      {"attachment; filename=\"../../x\"", "x"},
      {R"(attachment; filename="C:\\Windows\\x.exe")", "x.exe"},
      {"attachment; filename*=UTF-8''..%2f..%2fx", "x"},
      {"attachment; filename*=UTF-8''a%5Cb", "b"},
      {"attachment; filename=.bashrc", "bashrc"},
      {"attachment; filename=\"...x\"", "x"},
      {"attachment; filename=\". . /.\t.ssh \"", "ssh"},
  };
  for (const auto& [value, name] : table) EXPECT_EQ(disposition_file_name(value), name) << value;
}

TEST(DispositionFileName, IsAbsentWhereNoNameIsLeft) {
  for (const std::string value :
       {"", "attachment", "attachment;", "attachment; filename", "attachment; filename=",
        "attachment; filename=\"\"", "attachment; filename=\"a", R"(attachment; filename="a\)",
        "attachment; filename=.", "attachment; filename=..", "attachment; filename=a/",
        "attachment; filename=\"/\"", "attachment; filename*=UTF-8''a%0d%0ab", "filename=a",
        "attachment; filename=\"a\x1B[2J\"", ";;;", "attachment; =a", "attachment; filename* "}) {
    EXPECT_EQ(disposition_file_name(value), std::nullopt) << value;
  }
  EXPECT_EQ(disposition_file_name("attachment; filename=" + std::string(256, 'x')), std::nullopt);
  EXPECT_EQ(disposition_file_name("attachment; filename=" + std::string(255, 'x')),
            std::string(255, 'x'));
}

TEST(ContentDisposition, QuotesPlainNames) {
  EXPECT_EQ(content_disposition("inline", "a b;c.txt"), "inline; filename=\"a b;c.txt\"");
}

TEST(ContentDisposition, AddsTheEncodedFormWhereQuotesAreNotEnough) {
  EXPECT_EQ(content_disposition("attachment", "q\"; x=\"y"),
            "attachment; filename=\"q_; x=_y\"; filename*=UTF-8''q%22%3B%20x%3D%22y");
  EXPECT_EQ(content_disposition("inline", "\xE2\x82\xAC"),
            "inline; filename=\"___\"; filename*=UTF-8''%E2%82%AC");
  EXPECT_EQ(content_disposition("inline", "100%"),
            "inline; filename=\"100_\"; filename*=UTF-8''100%25");
}

TEST(ContentDisposition, CannotBeInjectedThrough) {
  const std::string value = content_disposition("inline", "a\r\nX-Injected: 1\\");
  EXPECT_EQ(value.find_first_of("\r\n\\"), std::string::npos) << value;
}

TEST(ContentDisposition, IsReadBackAsTheNameItWasGiven) {
  for (const std::string name :
       {"a", "a b", "q\"x", "caf\xC3\xA9", "100%", "a;b=c", "a'b", "-rf"}) {
    EXPECT_EQ(disposition_file_name(content_disposition("attachment", name)), name);
  }
}

}  // namespace
}  // namespace headrace::http
