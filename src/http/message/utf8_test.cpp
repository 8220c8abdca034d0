#include "http/message/utf8.hpp"

#include <gtest/gtest.h>

namespace headrace::http {
namespace {

constexpr std::string_view replaced = "\xEF\xBF\xBD";

TEST(IsUtf8, TakesEveryWellFormedLength) {
  for (const std::string_view text :
       {"", "plain", "\xC2\x80", "\xC3\xA9", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(IsUtf8, RefusesWhatIsNoCharacter) {
  for (const std::string_view text :
       {"\x80", "\xFF", "\xC0\xAE", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x80\xAE", "\xE2\x82",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x80\x80\xAE", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "a\xFE"}) {
    EXPECT_FALSE(is_utf8(text)) << testing::PrintToString(text);
  }
}

TEST(Utf8OfLatin1, MakesACharacterOfEachByte) {
  EXPECT_EQ(utf8_of_latin1("caf\xE9 \x80\xFF"), "caf\xC3\xA9 \xC2\x80\xC3\xBF");
}

TEST(Shown, LeavesTextAsItIs) {
  EXPECT_EQ(shown("a b \xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x98\x80 <>&\""),
            "a b \xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x98\x80 <>&\"");
}

TEST(Shown, ReplacesWhatIsNoText) {
  const std::string mark(replaced);
  EXPECT_EQ(shown("\xFF\xFE.bin"), mark + mark + ".bin");
  EXPECT_EQ(shown("a\r\nb\x1B[2J\x7F"), "a" + mark + mark + "b" + mark + "[2J" + mark);
  EXPECT_EQ(shown("\xC2\x9B"), mark) << "a control character of 8 bits";
  EXPECT_EQ(shown("a\xE2\x82"), "a" + mark + mark) << "cut off";
}

TEST(Shown, ReplacesWhatTurnsTheDirection) {
  const std::string mark(replaced);
  EXPECT_EQ(shown("a\xE2\x80\xAEtxt.exe"), "a" + mark + "txt.exe");
  EXPECT_EQ(shown("\xE2\x81\xA6"), mark);
  EXPECT_EQ(shown("\xE2\x80\xA8"), mark) << "a separator of lines";
}

}  // namespace
}  // namespace headrace::http
