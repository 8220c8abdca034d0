#include "http/message/percent.hpp"

#include <gtest/gtest.h>

#include "http/message/ascii.hpp"

namespace headrace::http {
namespace {

TEST(PercentEncoded, KeepsWhatItIsToldToKeep) {
  EXPECT_EQ(percent_encoded("aZ09-._~", is_unreserved), "aZ09-._~");
  EXPECT_EQ(percent_encoded("a b%/\xff", is_unreserved), "a%20b%25%2F%FF");
  EXPECT_EQ(percent_encoded("", is_unreserved), "");
}

TEST(PercentDecoded, DecodesOnceInBothCases) {
  EXPECT_EQ(percent_decoded("a%20b%2f%2F+"), "a b//+");
  EXPECT_EQ(percent_decoded("%2525"), "%25");
  EXPECT_EQ(percent_decoded("%00"), std::string(1, '\0'));
}

TEST(PercentDecoded, IsAbsentForABadEscape) {
  for (const std::string_view text :
       {"%", "a%", "%2", "%zz", "%2g", "%g2", "%%20", "% 20", "%-1"}) {
    EXPECT_EQ(percent_decoded(text), std::nullopt) << text;
  }
}

TEST(PercentDecoded, GivesBackEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(percent_decoded(percent_encoded(bytes, is_unreserved)), bytes);
  EXPECT_EQ(percent_decoded(percent_encoded(bytes, [](char) { return false; })), bytes);
}

}  // namespace
}  // namespace headrace::http
