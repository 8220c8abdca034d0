#include "http/message/entity_tag.hpp"

#include <gtest/gtest.h>

#include <set>

namespace headrace::http {
namespace {

using Tags = std::vector<EntityTag>;

TEST(ParseEntityTag, ReadsOne) {
  EXPECT_EQ(parse_entity_tag("\"a\""), (EntityTag{"a", false}));
  EXPECT_EQ(parse_entity_tag("W/\"a\""), (EntityTag{"a", true}));
  EXPECT_EQ(parse_entity_tag("\"\""), (EntityTag{"", false}));
  EXPECT_EQ(parse_entity_tag("\"a,b\\!\xFF\""), (EntityTag{"a,b\\!\xFF", false}));
  EXPECT_EQ(parse_entity_tag("\"W/\""), (EntityTag{"W/", false}));
}

TEST(ParseEntityTag, IsAbsentForAnythingElse) {
  for (const std::string_view value :
       {"",        "a",      "\"",      "\"a",      "a\"",       "\"a\"b", "\"a\"\"",
        "w/\"a\"", "W\"a\"", "W/a",     "W/",       "W/ \"a\"",  "*",      "\"a\", \"b\"",
        " \"a\"",  "\"a\" ", "\"a b\"", "\"a\tb\"", "\"a\x7f\"", "'a'"}) {
    EXPECT_EQ(parse_entity_tag(value), std::nullopt) << value;
  }
}

TEST(ParseEntityTags, ReadsLists) {
  EXPECT_EQ(parse_entity_tags("\"a\""), (Tags{{"a", false}}));
  EXPECT_EQ(parse_entity_tags("\"a\",W/\"b\" ,\t\"c,d\""),
            (Tags{{"a", false}, {"b", true}, {"c,d", false}}));
  EXPECT_EQ(parse_entity_tags(", ,\"a\",,"), (Tags{{"a", false}}));
}

TEST(ParseEntityTags, IsAbsentWhereAnyPartIsMalformed) {
  for (const std::string_view value : {"", ",", "*", "\"a\", *", "\"a\" \"b\"", "\"a\", b",
                                       "\"a\", \"b", "a, \"b\"", "\"a\"; \"b\""}) {
    EXPECT_EQ(parse_entity_tags(value), std::nullopt) << value;
  }
}

// The table of RFC 9110 8.8.3.2.
TEST(EntityTag, ComparesStronglyAndWeakly) {
  const EntityTag weak1{"1", true};
  const EntityTag weak2{"2", true};
  const EntityTag strong1{"1", false};
  EXPECT_FALSE(strongly_equal(weak1, weak1));
  EXPECT_TRUE(weakly_equal(weak1, weak1));
  EXPECT_FALSE(strongly_equal(weak1, weak2));
  EXPECT_FALSE(weakly_equal(weak1, weak2));
  EXPECT_FALSE(strongly_equal(weak1, strong1));
  EXPECT_FALSE(strongly_equal(strong1, weak1));
  EXPECT_TRUE(weakly_equal(weak1, strong1));
  EXPECT_TRUE(strongly_equal(strong1, strong1));
  EXPECT_TRUE(weakly_equal(strong1, strong1));
}

TEST(EntityTag, IsPrintedAsItIsRead) {
  for (const std::string_view text : {"\"a\"", "W/\"a\"", "\"\""}) {
    EXPECT_EQ(to_string(parse_entity_tag(text).value()), text);
  }
}

TEST(EntityTagOf, ChangesWithEachPartOfTheState) {
  const FileVersion version{1, 2, 3, 4, 5};
  std::set<std::string> seen{entity_tag_of(version, false).opaque};
  for (const FileVersion& other :
       {FileVersion{9, 2, 3, 4, 5}, FileVersion{1, 9, 3, 4, 5}, FileVersion{1, 2, 9, 4, 5},
        FileVersion{1, 2, 3, 9, 5}, FileVersion{1, 2, 3, 4, 9}, FileVersion{2, 1, 3, 4, 5},
        FileVersion{1, 2, 3, -4, 5}}) {
    EXPECT_TRUE(seen.insert(entity_tag_of(other, false).opaque).second);
  }
  EXPECT_EQ(entity_tag_of(version, false), entity_tag_of(FileVersion{1, 2, 3, 4, 5}, false));
}

TEST(EntityTagOf, NeverLetsAWeakTagMatchTheLaterStrongOne) {
  const EntityTag young = entity_tag_of({1, 2, 3, 4, 5}, true);
  const EntityTag settled = entity_tag_of({1, 2, 3, 4, 5}, false);
  EXPECT_TRUE(young.weak);
  EXPECT_FALSE(settled.weak);
  EXPECT_FALSE(weakly_equal(young, settled));
}

TEST(EntityTagOf, GivesATagThatCanBeSent) {
  const EntityTag tag = entity_tag_of({}, true);
  EXPECT_EQ(parse_entity_tag(to_string(tag)), tag);
}

}  // namespace
}  // namespace headrace::http
