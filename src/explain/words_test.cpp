#include "explain/words.hpp"

#include <gtest/gtest.h>

#include <future>

#include "explain/example_report_testing.hpp"

namespace headrace::explain {
namespace {

TEST(Describe, NamesTheCallTheWordsAndTheErrno) {
  EXPECT_EQ(describe(example::error("write", ENOSPC)), "write: No space left on device (ENOSPC)");
}

TEST(Describe, InventsNoErrnoForAnotherLibrarysCode) {
  const Error error{std::make_error_code(std::future_errc::no_state), "resolve"};
  EXPECT_EQ(describe(error).find("(E"), std::string::npos);
  EXPECT_TRUE(describe(error).starts_with("resolve: "));
}

TEST(Describe, GivesARefusalWithCodeTextAndDetail) {
  EXPECT_EQ(describe(Refusal{&example::reflink, {"some-code", "some words"}, "more"}),
            "reflink: some-code (some words; more)");
  EXPECT_EQ(describe(Refusal{&example::reflink, {"some-code", ""}, ""}), "reflink: some-code");
}

TEST(FormatSeconds, KeepsAboutThreeDigits) {
  EXPECT_EQ(format_seconds(0), "0 s");
  EXPECT_EQ(format_seconds(-1), "0 s");
  EXPECT_EQ(format_seconds(0.000'043), "0.043 ms");
  EXPECT_EQ(format_seconds(0.001'5), "1.50 ms");
  EXPECT_EQ(format_seconds(0.012'34), "12.3 ms");
  EXPECT_EQ(format_seconds(0.314), "0.31 s");
  EXPECT_EQ(format_seconds(3725.2), "3725 s");
}

TEST(ExactSize, AddsTheCountWhereTheUnitRounds) {
  EXPECT_EQ(exact_size(1), "1 byte");
  EXPECT_EQ(exact_size(0), "0 bytes");
  EXPECT_EQ(exact_size(64 * kibibyte), "64KiB");
  EXPECT_EQ(exact_size(1536), "1.5KiB (1536 bytes)");
  EXPECT_EQ(exact_size(gibibyte + 1), "1GiB (1073741825 bytes)");
}

TEST(Printable, LeavesNoControlCharacter) {
  EXPECT_EQ(printable("a\x1b[2Jb\n\x7f"), "a\\x1b[2Jb\\x0a\\x7f");
  EXPECT_EQ(printable("Äpfel.txt €\U0001F600"), "Äpfel.txt €\U0001F600");
  EXPECT_EQ(printable("x\u009b31m"), "x\\xc2\\x9b31m");
}

TEST(Printable, TurnsNoReadingDirectionRound) {
  EXPECT_EQ(printable("a\u202etxt.exe"), "a\\xe2\\x80\\xaetxt.exe");
}

TEST(Printable, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(printable("a\xff"), "a\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut short";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "longer than needed";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
}

TEST(Aligned, PadsEveryColumnButTheLast) {
  const std::vector<std::string> lines = aligned({{"a", "bb", "c"}, {"aaa", "b", "ccc"}});
  EXPECT_EQ(lines, (std::vector<std::string>{"a    bb  c", "aaa  b   ccc"}));
}

}  // namespace
}  // namespace headrace::explain
