#include "http/message/range.hpp"

#include <gtest/gtest.h>

#include <random>

namespace headrace::http {
namespace {

using Kind = Selection::Kind;

constexpr Selection whole{};
const Selection unsatisfiable{.kind = Kind::unsatisfiable, .ranges = {}};

Selection ranges(std::vector<Range> list) {
  return {.kind = Kind::ranges, .ranges = std::move(list)};
}

/// What a server sends for this field; a field that is to be ignored gives the whole.
Selection answer(std::string_view value, Bytes size, const RangeLimits& limits = {}) {
  const auto specs = parse_ranges(value);
  return specs ? select_ranges(*specs, size, limits) : whole;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(ParseRanges, ReadsAllThreeForms) {
  using Specs = std::vector<RangeSpec>;
  EXPECT_EQ(parse_ranges("bytes=0-0"), (Specs{{0, 0}}));
  EXPECT_EQ(parse_ranges("bytes=5-"), (Specs{{5, std::nullopt}}));
  EXPECT_EQ(parse_ranges("bytes=-5"), (Specs{{std::nullopt, 5}}));
  EXPECT_EQ(parse_ranges("BYTES=1-2,3-4"), (Specs{{1, 2}, {3, 4}}));
  EXPECT_EQ(parse_ranges("bytes= 1-2 ,\t,, 3-4 ,"), (Specs{{1, 2}, {3, 4}}));
  EXPECT_EQ(parse_ranges("bytes=007-8"), (Specs{{7, 8}}));
}

TEST(ParseRanges, TakesWhatIsBeyond64BitsForTheLargestNumber) {
  EXPECT_EQ(parse_ranges("bytes=0-99999999999999999999999"),
            (std::vector<RangeSpec>{{0, everything}}));
  EXPECT_EQ(parse_ranges("bytes=18446744073709551616-"),
            (std::vector<RangeSpec>{{everything, std::nullopt}}));
}

TEST(ParseRanges, IsAbsentForWhatIsToBeIgnored) {
  for (const std::string_view value : {"",
                                       "bytes",
                                       "bytes=",
                                       "bytes=,",
                                       "bytes= , ,",
                                       "bytes=-",
                                       "bytes=abc",
                                       "items=0-1",
                                       "bytes=9-5",
                                       "bytes=1-2-3",
                                       "bytes=--1",
                                       "bytes=0x1-2",
                                       "bytes=0 - 1",
                                       "bytes=+1-2",
                                       "bytes=1-+2",
                                       "bytes=1-2;3-4",
                                       "bytes=0-1,x",
                                       "bytes=0-1,9-5",
                                       "bytes = 0-1",
                                       "bytes =0-1",
                                       "=0-1",
                                       "0-1",
                                       "bytes:0-1",
                                       "bytes=1",
                                       "bytes=1.5-2",
                                       "bytes=0-1 2-3"}) {
    EXPECT_EQ(parse_ranges(value), std::nullopt) << value;
  }
}

TEST(SelectRanges, AnswersTheTableOfSingleRanges) {
  const std::vector<std::pair<std::string_view, Range>> table{
      {"bytes=0-0", {0, 0}}, {"bytes=9-9", {9, 9}},  {"bytes=-1", {9, 9}},
      {"bytes=-10", {0, 9}}, {"bytes=-999", {0, 9}}, {"bytes=5-999", {5, 9}},
      {"bytes=5-", {5, 9}},  {"bytes=0-", {0, 9}},   {"bytes=0-99999999999999999999999", {0, 9}},
      {"bytes=0-8", {0, 8}}, {"bytes=0-9", {0, 9}},  {"bytes=0-10", {0, 9}},
      {"bytes=-9", {1, 9}},  {"bytes=9-", {9, 9}},   {"bytes=-99999999999999999999999", {0, 9}},
  };
  for (const auto& [value, range] : table) EXPECT_EQ(answer(value, 10), ranges({range})) << value;
}

TEST(SelectRanges, IsUnsatisfiableWhereNoByteIsMeant) {
  for (const std::string_view value : {"bytes=10-", "bytes=10-10", "bytes=-0",
                                       "bytes=99999999999999999999-", "bytes=10-,11-,-0"}) {
    EXPECT_EQ(answer(value, 10), unsatisfiable) << value;
  }
}

TEST(SelectRanges, SendsTheWholeWhereTheFieldIsToBeIgnored) {
  for (const std::string_view value : {"bytes=9-5", "bytes=abc", "bytes=", "bytes", "items=0-1",
                                       "bytes=1-2-3", "bytes=--1", "bytes=0x1-2"}) {
    EXPECT_EQ(answer(value, 10), whole) << value;
  }
}

TEST(SelectRanges, SendsTheWholeOfAnEmptyFile) {
  for (const std::string_view value :
       {"bytes=0-", "bytes=-5", "bytes=-0", "bytes=0-0", "bytes=7-"}) {
    EXPECT_EQ(answer(value, 0), whole) << value;
  }
}

TEST(SelectRanges, LeavesOutWhatIsBeyondTheEnd) {
  EXPECT_EQ(answer("bytes=10-,0-1,99-100,-0", 10), ranges({{0, 1}}));
}

TEST(SelectRanges, KeepsTheOrderAskedFor) {
  EXPECT_EQ(answer("bytes=0-0,-1", 10), ranges({{0, 0}, {9, 9}}));
  EXPECT_EQ(answer("bytes=-1,0-0", 10), ranges({{9, 9}, {0, 0}}));
  EXPECT_EQ(answer("bytes=8-8,0-0,4-4", 10), ranges({{8, 8}, {0, 0}, {4, 4}}));
}

TEST(SelectRanges, CoalescesWhatOverlapsOrTouches) {
  EXPECT_EQ(answer("bytes=0-4,2-6", 10), ranges({{0, 6}}));
  EXPECT_EQ(answer("bytes=0-1,2-3", 10), ranges({{0, 3}}));
  EXPECT_EQ(answer("bytes=0-1,3-4", 10), ranges({{0, 1}, {3, 4}}));
  EXPECT_EQ(answer("bytes=2-3,2-3", 10), ranges({{2, 3}}));
  EXPECT_EQ(answer("bytes=1-8,3-4", 10), ranges({{1, 8}}));
  EXPECT_EQ(answer("bytes=5-6,0-0,7-8", 10), ranges({{5, 8}, {0, 0}}))
      << "at the first one's place";
  EXPECT_EQ(answer("bytes=0-4,5-9", 10), ranges({{0, 9}}));
}

TEST(SelectRanges, IsRightAtTheEdgeOf64Bits) {
  EXPECT_EQ(answer("bytes=-1", everything), ranges({{everything - 1, everything - 1}}));
  EXPECT_EQ(answer("bytes=0-", everything), ranges({{0, everything - 1}}));
  EXPECT_EQ(answer("bytes=0-,0-", everything), ranges({{0, everything - 1}}));
  EXPECT_EQ(answer("bytes=0-,0-,0-0", everything), whole);
}

TEST(SelectRanges, SendsTheWholeBeyondTheLimits) {
  EXPECT_EQ(answer("bytes=0-0,2-2,4-4", 10, {.most_ranges = 2}), whole);
  EXPECT_EQ(answer("bytes=0-0,2-2,4-4", 10, {.most_ranges = 3}), ranges({{0, 0}, {2, 2}, {4, 4}}));
  EXPECT_EQ(answer("bytes=0-0,1-1,2-2", 10, {.most_ranges = 1}), ranges({{0, 2}}));
  EXPECT_EQ(answer("bytes=0-0,99-", 10, {.most_specs = 1}), whole);
}

TEST(SelectRanges, SendsTheWholeWhereMoreThanTwiceOfItIsAskedFor) {
  EXPECT_EQ(answer("bytes=0-,0-", 10), ranges({{0, 9}}));
  EXPECT_EQ(answer("bytes=0-,0-,0-0", 10), whole);
  EXPECT_EQ(answer("bytes=0-8,0-8,0-1", 10), ranges({{0, 8}}));
  EXPECT_EQ(answer("bytes=0-8,0-8,0-2", 10), whole);
}

// Thousands of ranges must neither multiply the body nor the work.
TEST(SelectRanges, BoundsEgregiousSets) {
  constexpr Bytes size = 10 * mebibyte;
  EXPECT_EQ(answer("bytes=" + repeated("0-,", 1200), size), whole);
  EXPECT_EQ(answer("bytes=" + repeated("0-,", 900), size), whole);
  std::string nested = "bytes=";
  std::string falling = "bytes=";
  std::string scattered = "bytes=";
  for (int i = 0; i < 250; ++i)
    nested += std::to_string(i) + "-" + std::to_string(size - 1 - static_cast<Bytes>(i)) + ",";
  for (int i = 900; i > 0; --i) falling += std::to_string(i) + "-" + std::to_string(i) + ",";
  for (int i = 900; i > 0; --i)
    scattered += std::to_string(2 * i) + "-" + std::to_string(2 * i) + ",";
  EXPECT_EQ(answer(nested, size), whole);
  EXPECT_EQ(answer(falling, size), ranges({{1, 900}}));
  EXPECT_EQ(answer(scattered, size), whole);
  EXPECT_EQ(answer("bytes=0-0," + repeated(" ,", 30000), size), ranges({{0, 0}}));
}

/// The bytes that each spec means, by the words of the standard and nothing clever.
std::vector<bool> wanted(const std::vector<RangeSpec>& specs, Bytes size) {
  std::vector<bool> bytes(size);
  for (Bytes i = 0; i < size; ++i) {
    for (const RangeSpec& spec : specs) {
      const bool in = spec.first ? i >= *spec.first && (!spec.last || i <= *spec.last)
                                 : size - i <= spec.last.value_or(0);
      if (in) bytes[i] = true;
    }
  }
  return bytes;
}

TEST(SelectRanges, SelectsExactlyTheBytesThatAreMeant) {
  std::mt19937 random{7};
  for (int round = 0; round < 20000; ++round) {
    const Bytes size = 1 + random() % 16;
    std::vector<RangeSpec> specs(1 + random() % 4);
    for (RangeSpec& spec : specs) {
      const Bytes first = random() % 20;
      const auto form = random() % 3;
      if (form != 0) spec.first = first;
      if (form != 1) spec.last = first + random() % 5;
    }
    const std::vector<bool> expected = wanted(specs, size);
    const Selection selected = select_ranges(specs, size);
    std::vector<bool> got(size);
    for (const Range& range : selected.ranges) {
      ASSERT_LE(range.first, range.last);
      ASSERT_LT(range.last, size);
      for (Bytes i = range.first; i <= range.last; ++i) {
        ASSERT_FALSE(got[i]) << "sent twice";
        got[i] = true;
      }
    }
    const bool none = std::ranges::find(expected, true) == expected.end();
    ASSERT_EQ(selected.kind == Kind::unsatisfiable, none);
    if (selected.kind != Kind::ranges) continue;
    ASSERT_EQ(got, expected);
  }
}

TEST(ContentRange, IsPrintedWithBothEnds) {
  EXPECT_EQ(content_range({0, 9}, 10), "bytes 0-9/10");
  EXPECT_EQ(content_range_unsatisfied(10), "bytes */10");
  EXPECT_EQ(content_range({0, everything - 1}, everything),
            "bytes 0-18446744073709551614/18446744073709551615");
}

TEST(ParseContentRange, ReadsWhatMayCome) {
  EXPECT_EQ(parse_content_range("bytes 0-9/10"), (ContentRange{Range{0, 9}, 10}));
  EXPECT_EQ(parse_content_range("Bytes 5-5/*"), (ContentRange{Range{5, 5}, std::nullopt}));
  EXPECT_EQ(parse_content_range("bytes */10"), (ContentRange{std::nullopt, 10}));
  EXPECT_EQ(parse_content_range(content_range({3, 4}, 9)), (ContentRange{Range{3, 4}, 9}));
}

TEST(ParseContentRange, IsAbsentForEverythingElse) {
  for (const std::string_view value : {"",
                                       "bytes",
                                       "bytes ",
                                       "bytes 0-9",
                                       "bytes /10",
                                       "bytes 0-9/",
                                       "bytes */*",
                                       "bytes 9-5/10",
                                       "bytes 0-10/10",
                                       "bytes 5-/10",
                                       "bytes -5/10",
                                       "bytes=0-9/10",
                                       "items 0-9/10",
                                       "bytes 0-9/10/11",
                                       "bytes 0 - 9/10",
                                       "bytes 0-9 /10",
                                       "bytes 0-9/ 10",
                                       "bytes  0-9/10",
                                       "bytes 0-18446744073709551616/18446744073709551617",
                                       "bytes 0-9/99999999999999999999",
                                       "bytes +0-9/10",
                                       "bytes 0-9/-10",
                                       "0-9/10",
                                       "/ bytes"}) {
    EXPECT_EQ(parse_content_range(value), std::nullopt) << value;
  }
}

}  // namespace
}  // namespace headrace::http
