#include "http/client/partial_record.hpp"

#include <gtest/gtest.h>

namespace headrace::http::client {
namespace {

const PartialRecord example{
    .url = "http://example.org/a%20b?c", .validator = R"("tag")", .total = 5000};

TEST(PartialRecord, IsReadAsItWasWritten) {
  EXPECT_EQ(parse_record(to_json(example)), example);
  const PartialRecord bare{.url = "http://example.org/", .validator = "", .total = {}};
  EXPECT_EQ(parse_record(to_json(bare)), bare);
}

TEST(PartialRecord, OfLargeFilesKeepsTheWholeNumber) {
  PartialRecord large = example;
  large.total = 0x7fffffffffffffff;
  EXPECT_EQ(parse_record(to_json(large)), large);
}

TEST(PartialRecord, CutOffAnywhereIsNone) {
  const std::string text = to_json(example);
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    EXPECT_EQ(parse_record(text.substr(0, length)), std::nullopt) << length;
  }
}

TEST(PartialRecord, OfAnotherShapeIsNone) {
  for (const char* text :
       {"[]", "null", "1", R"({"url": "u"})", R"({"validator": "v"})",
        R"({"url": 1, "validator": "v"})", R"({"url": "u", "validator": "v", "total": -1})",
        R"({"url": "u", "validator": "v", "total": "5"})",
        R"({"url": "u", "validator": "v", "total": 1.5})"}) {
    EXPECT_EQ(parse_record(text), std::nullopt) << text;
  }
}

TEST(PartialRecord, WithBytesThatAreNoTextIsStillJson) {
  PartialRecord odd = example;
  odd.url = "http://example.org/\xff";
  EXPECT_TRUE(parse_record(to_json(odd)));
}

TEST(PartialNames, AreTheNameWithAnEnding) {
  const PartialNames names = partial_names("film.mkv", 255);
  EXPECT_EQ(names.content, "film.mkv.part");
  EXPECT_EQ(names.record, "film.mkv.part.json");
}

TEST(PartialNames, OfALongNameFitAndDiffer) {
  const std::string longest_to_fit(245, 'x');
  EXPECT_EQ(partial_names(longest_to_fit, 255).content, longest_to_fit + ".part");
  const std::string one(255, 'x');
  std::string other = one;
  other.back() = 'y';
  const PartialNames names = partial_names(one, 255);
  EXPECT_EQ(names.record.size(), 255U);
  EXPECT_EQ(names.record, names.content + ".json");
  EXPECT_NE(names.content, partial_names(other, 255).content);
  EXPECT_EQ(names.content, partial_names(one, 255).content);
}

}  // namespace
}  // namespace headrace::http::client
