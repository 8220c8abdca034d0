#include "http/server/log_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace headrace::http::server {
namespace {

template <class... Arguments>
std::string made(void (*append)(std::string&, Arguments...), Arguments... arguments) {
  std::string line;
  append(line, arguments...);
  return line;
}

std::string every_byte() {
  std::string bytes;
  for (int code = 0; code < 256; ++code) bytes += static_cast<char>(code);
  return bytes;
}

bool is_printable_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return byte >= ' ' && byte <= '~'; });
}

TEST(LogText, EscapesWhatWouldEndALineOrAQuoteOrSteerATerminal) {
  EXPECT_EQ(made(append_escaped, std::string_view("a b\r\n\"\\\x1b[2J\x7f\x9b"
                                                  "1m\xc3\xa9")),
            R"(a b\x0d\x0a\x22\x5c\x1b[2J\x7f\x9b1m\xc3\xa9)");
  EXPECT_TRUE(is_printable_ascii(made(append_escaped, std::string_view(every_byte()))));
}

TEST(LogText, AWordHasNoSpaceAndIsNeverEmpty) {
  EXPECT_EQ(made(append_word, std::string_view("unix:/a b")), R"(unix:/a\x20b)");
  EXPECT_EQ(made(append_word, std::string_view("")), "-");
  EXPECT_EQ(made(append_quoted, std::string_view("")), "\"-\"");
}

TEST(LogText, WritesJsonThatReadsBackAsTheSameText) {
  const std::string text = "a\"\\\r\n\t\x1b\x7f caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8f\x9e";
  const std::string json = made(append_json, std::string_view(text));
  EXPECT_TRUE(is_printable_ascii(json)) << json;
  EXPECT_EQ(nlohmann::json::parse(json).get<std::string>(), text);
  EXPECT_EQ(nlohmann::json::parse(made(append_json, std::string_view("\0", 1))).get<std::string>(),
            std::string("\0", 1));
}

TEST(LogText, ReplacesWhatIsNoUtf8) {
  const auto read = [](std::string_view text) {
    return nlohmann::json::parse(made(append_json, text)).get<std::string>();
  };
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(read("a\xff"
                 "b"),
            "a" + mark + "b");
  EXPECT_EQ(read("\xc3"), mark) << "cut off";
  EXPECT_EQ(read("\xc3("), mark + "(") << "what follows is kept";
  EXPECT_EQ(read("\xc0\xaf"), mark + mark) << "longer than needed";
  EXPECT_EQ(read("\xed\xa0\x80"), mark + mark + mark) << "a surrogate";
  EXPECT_EQ(read("\xf4\x90\x80\x80"), mark + mark + mark + mark) << "beyond the last";
  EXPECT_EQ(read("\xf4\x8f\xbf\xbf"), "\xf4\x8f\xbf\xbf") << "the last";
}

TEST(LogText, JsonOfAnyBytesIsValid) {
  std::mt19937 random(7);
  for (int times = 0; times < 20'000; ++times) {
    std::string bytes(random() % 12, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const std::string json = made(append_json, std::string_view(bytes));
    ASSERT_TRUE(is_printable_ascii(json));
    ASSERT_TRUE(nlohmann::json::accept(json)) << json;
  }
}

TEST(LogText, WritesNumbersAsTheyAre) {
  EXPECT_EQ(made(append_number, std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(made(append_seconds, 0.0012345), "0.001234");
  EXPECT_EQ(made(append_seconds, 12.0), "12.000000");
}

}  // namespace
}  // namespace headrace::http::server
