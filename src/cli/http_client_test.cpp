#include "cli/http_client.hpp"

#include <gtest/gtest.h>

#include <array>

namespace headrace::cli {
namespace {

using http::Field;

TEST(ParseHeader, ReadsNameAndValue) {
  EXPECT_EQ(parse_header("X-One: 1"), (Field{"X-One", "1"}));
  EXPECT_EQ(parse_header("A:\t b:c "), (Field{"A", "b:c"}));
  EXPECT_EQ(parse_header("A:"), (Field{"A", ""}));
  EXPECT_EQ(parse_header("A: \xc3\xa4"), (Field{"A", "\xc3\xa4"}));
}

TEST(ParseHeader, LetsNothingBreakTheHead) {
  constexpr std::array<std::string_view, 8> lines{
      "", "A", ": b", "A B: c", "A : b", "A: b\r\nC: d", "A: b\nC: d", "A\r\n: b"};
  for (const auto line : lines) EXPECT_FALSE(parse_header(line)) << line;
  EXPECT_FALSE(parse_header(std::string_view("A: b\0c", 6)));
}

TEST(ParseHeader, LeavesToTheClientWhatItSetsItself) {
  constexpr std::array<std::string_view, 4> lines{"host: x", "CONTENT-LENGTH: 1",
                                                  "Transfer-Encoding: chunked", "Expect: x"};
  for (const auto line : lines) EXPECT_FALSE(parse_header(line)) << line;
}

}  // namespace
}  // namespace headrace::cli
