#include "cli/values.hpp"

#include <gtest/gtest.h>

namespace headrace::cli {
namespace {

using std::chrono::milliseconds;

TEST(PositiveSize, IsASizeAndNeverZero) {
  EXPECT_EQ(positive_size("64KiB"), 64 * kibibyte);
  EXPECT_EQ(positive_size("1"), 1U);
  for (const char* text : {"0", "0KiB", "", "-1", "fast"}) {
    EXPECT_FALSE(positive_size(text)) << text;
  }
}

TEST(ParseRange, HasAnOffsetAndALengthOrTheRest) {
  const auto both = parse_range("1KiB:64KiB");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->offset, kibibyte);
  EXPECT_EQ(both->length, 64 * kibibyte);
  const auto rest = parse_range("7:");
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->offset, 7U);
  EXPECT_FALSE(rest->length);
  const auto nothing = parse_range("5:0");
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->length, 0U);
}

TEST(ParseRange, IsNothingElse) {
  for (const char* text : {"", "5", ":", ":5", "a:b", "-1:5", "1:-5", "1:2:3", "1.5:2", "5:x"}) {
    EXPECT_FALSE(parse_range(text)) << text;
  }
}

TEST(ParseSeconds, AreRoundedUpToMilliseconds) {
  EXPECT_EQ(parse_seconds("60"), milliseconds{60'000});
  EXPECT_EQ(parse_seconds("0.05"), milliseconds{50});
  EXPECT_EQ(parse_seconds("1e-9"), milliseconds{1});
  EXPECT_EQ(parse_seconds("1e9"), milliseconds{1'000'000'000'000});
}

TEST(ParseSeconds, AreAboveZeroAndFinite) {
  for (const char* text : {"0", "-1", "soon", "", "nan", "inf", "1e99", "1s", "1e10"}) {
    EXPECT_FALSE(parse_seconds(text)) << text;
  }
}

TEST(NamesIn, KeepTheirOrderAndTheEmptyOnes) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_in("a,b"), (Names{"a", "b"}));
  EXPECT_EQ(names_in("b"), Names{"b"});
  EXPECT_EQ(names_in(""), Names{""});
  EXPECT_EQ(names_in(",a,"), (Names{"", "a", ""}));
}

TEST(ParsePreserve, RequiresWhatIsNamedAndNothingElse) {
  EXPECT_EQ(parse_preserve("mode,times"),
            (Preserve{.mode = Keep::required, .times = Keep::required}));
  EXPECT_EQ(parse_preserve("owner"), (Preserve{Keep::no, Keep::no, Keep::required}));
  EXPECT_EQ(parse_preserve("xattr,acl"),
            (Preserve{Keep::no, Keep::no, Keep::no, Keep::required, Keep::required}));
}

TEST(ParsePreserve, TakesAllAsFarAsPossible) {
  EXPECT_EQ(parse_preserve("all"), preserve_all_possible);
  for (const char* text : {"all,owner", "owner,all"}) {
    Preserve wanted = preserve_all_possible;
    wanted.owner = Keep::required;
    EXPECT_EQ(parse_preserve(text), wanted) << text;
  }
}

TEST(ParsePreserve, IsNothingElse) {
  for (const char* text : {"", "mode,", "Mode", "mode times", "links", "no"}) {
    EXPECT_FALSE(parse_preserve(text)) << text;
  }
}

}  // namespace
}  // namespace headrace::cli
