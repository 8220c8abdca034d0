#include "explain/sizes.hpp"

#include <gtest/gtest.h>

#include "headrace/explain.hpp"

namespace headrace {
namespace {

TEST(ParseSize, CountsByDefaultInBytes) {
  EXPECT_EQ(parse_size("0"), 0U);
  EXPECT_EQ(parse_size("4096"), 4096U);
  EXPECT_EQ(parse_size("17B"), 17U);
}

TEST(ParseSize, TellsBinaryUnitsFromDecimalOnes) {
  EXPECT_EQ(parse_size("64KiB"), 64 * kibibyte);
  EXPECT_EQ(parse_size("64K"), 64 * kibibyte);
  EXPECT_EQ(parse_size("64KB"), 64'000U);
  EXPECT_EQ(parse_size("1MiB"), mebibyte);
  EXPECT_EQ(parse_size("10MB"), 10'000'000U);
  EXPECT_EQ(parse_size("3G"), 3 * gibibyte);
  EXPECT_EQ(parse_size("2TB"), 2'000'000'000'000U);
  EXPECT_EQ(parse_size("1PiB"), Bytes{1} << 50);
}

TEST(ParseSize, DoesNotMindCase) {
  EXPECT_EQ(parse_size("64kib"), 64 * kibibyte);
  EXPECT_EQ(parse_size("5m"), 5 * mebibyte);
  EXPECT_EQ(parse_size("5mb"), 5'000'000U);
}

TEST(ParseSize, TakesFractionsOfAUnitAndDropsPartsOfAByte) {
  EXPECT_EQ(parse_size("1.5GiB"), gibibyte + gibibyte / 2);
  EXPECT_EQ(parse_size("0.25MB"), 250'000U);
  EXPECT_EQ(parse_size("1.1KiB"), 1126U);
  EXPECT_EQ(parse_size("1.50K"), 1536U);
}

TEST(ParseSize, ReadsTheLargestCountAndNothingBeyond) {
  EXPECT_EQ(parse_size("18446744073709551615"), everything);
  EXPECT_EQ(parse_size("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_size("15EiB"), Bytes{15} << 60);
  EXPECT_EQ(parse_size("15.999999999EiB"), 18'446'744'072'556'630'111U);
  EXPECT_EQ(parse_size("16EiB"), std::nullopt);
  EXPECT_EQ(parse_size("18014398509481984K"), std::nullopt);
}

TEST(ParseSize, RejectsWhatIsNoSize) {
  for (const std::string_view text : {"",      " ",
                                      "-1",    "+1",
                                      " 1",    "1 ",
                                      "1  K",  "K",
                                      "1X",    "1KK",
                                      "1iB",   "1Ki",
                                      "1.5",   "1.5B",
                                      ".5M",   "1.M",
                                      "1.-5M", "1,5M",
                                      "1e3",   "0x10",
                                      "1K\n",  "1.0000000001G",
                                      "1.5.5M"}) {
    EXPECT_EQ(parse_size(text), std::nullopt) << '"' << text << '"';
  }
  EXPECT_EQ(parse_size(std::string_view("1K\0", 3)), std::nullopt);
}

TEST(FormatSize, UsesBinaryUnitsAndAtMostOneDecimal) {
  EXPECT_EQ(format_size(0), "0B");
  EXPECT_EQ(format_size(17), "17B");
  EXPECT_EQ(format_size(1023), "1023B");
  EXPECT_EQ(format_size(64 * kibibyte), "64KiB");
  EXPECT_EQ(format_size(gibibyte + gibibyte / 2), "1.5GiB");
  EXPECT_EQ(format_size(1'234'567), "1.2MiB");
  EXPECT_EQ(format_size(everything), "16EiB");
}

TEST(FormatSize, NeverShows1024OfAUnit) {
  EXPECT_EQ(format_size(mebibyte - 1), "1MiB");
  EXPECT_EQ(format_size(gibibyte - 1), "1GiB");
  EXPECT_EQ(format_size(mebibyte - 100 * kibibyte), "924KiB");
}

TEST(FormatSize, IsReadBackByParseSize) {
  for (const Bytes bytes : {Bytes{0}, Bytes{17}, 64 * kibibyte, 3 * gibibyte / 2, Bytes{7} << 60}) {
    EXPECT_EQ(parse_size(format_size(bytes)), bytes);
  }
}

}  // namespace
}  // namespace headrace
