#include "http/message/preconditions.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace headrace::http {
namespace {

using enum Evaluation::Outcome;

constexpr Time changed{std::chrono::seconds{1000000000}};
constexpr std::string_view changed_text = "Sun, 09 Sep 2001 01:46:40 GMT";
constexpr std::string_view before_text = "Sun, 09 Sep 2001 01:46:39 GMT";
constexpr std::string_view after_text = "Sun, 09 Sep 2001 01:46:41 GMT";
const EntityTag strong_tag{"now", false};

const Validators file{.tag = strong_tag,
                      .last_modified = changed,
                      .exists = true,
                      .last_modified_strong = true,
                      .now = Time{std::chrono::seconds{1800000000}}};
const Validators nothing{.now = file.now};

Fields one(std::string_view name, std::string_view value) {
  return {{std::string(name), std::string(value)}};
}

Evaluation::Outcome outcome(const Fields& fields, std::string_view method = "GET",
                            const Validators& now = file) {
  return evaluate(fields, method, now).outcome;
}

bool range_counts(std::string_view if_range, const Validators& now = file) {
  return evaluate({{"Range", "bytes=4-7"}, {"If-Range", std::string(if_range)}}, "GET", now)
      .range_counts;
}

TEST(Evaluate, ProceedsWithoutConditions) {
  EXPECT_EQ(evaluate({}, "GET", file), (Evaluation{proceed, false}));
  EXPECT_EQ(evaluate({}, "PUT", nothing), (Evaluation{proceed, false}));
}

TEST(IfMatch, ComparesStrongly) {
  EXPECT_EQ(outcome(one("If-Match", "\"now\"")), proceed);
  EXPECT_EQ(outcome(one("if-match", "\"a\", \"now\"")), proceed);
  EXPECT_EQ(outcome(one("If-Match", "W/\"now\"")), failed);
  EXPECT_EQ(outcome(one("If-Match", "\"nowx\"")), failed);
  EXPECT_EQ(outcome(one("If-Match", "\"now\""), "PUT"), proceed);
  EXPECT_EQ(outcome(one("If-Match", "\"old\""), "PUT"), failed);
  Validators weak = file;
  weak.tag->weak = true;
  EXPECT_EQ(outcome(one("If-Match", "W/\"now\""), "GET", weak), failed);
}

TEST(IfMatch, AsksForSomethingThatExists) {
  EXPECT_EQ(outcome(one("If-Match", "*"), "PUT"), proceed);
  EXPECT_EQ(outcome(one("If-Match", "*"), "PUT", nothing), failed);
  EXPECT_EQ(outcome(one("If-Match", "\"now\""), "PUT", nothing), failed);
}

TEST(IfMatch, FailsWhereItIsMalformed) {
  for (const std::string_view value : {"", "now", "\"now\", x", "\"now\", *", "*, *"}) {
    EXPECT_EQ(outcome(one("If-Match", value)), failed) << value;
  }
}

TEST(IfMatch, ReadsAllItsLines) {
  EXPECT_EQ(outcome({{"If-Match", "\"a\""}, {"If-Match", "\"now\""}}), proceed);
  EXPECT_EQ(outcome({{"If-Match", "\"now\""}, {"If-Match", "x"}}), failed);
}

TEST(IfNoneMatch, ComparesWeakly) {
  for (const std::string_view value : {"\"now\"", "W/\"now\"", "\"a\",\"now\"", "*"}) {
    EXPECT_EQ(outcome(one("If-None-Match", value), "GET"), not_modified) << value;
    EXPECT_EQ(outcome(one("If-None-Match", value), "HEAD"), not_modified) << value;
    EXPECT_EQ(outcome(one("If-None-Match", value), "PUT"), failed) << value;
    EXPECT_EQ(outcome(one("If-None-Match", value), "DELETE"), failed) << value;
    EXPECT_EQ(outcome(one("If-None-Match", value), "PUT", nothing), proceed) << value;
  }
  EXPECT_EQ(outcome(one("If-None-Match", "\"other\"")), proceed);
  EXPECT_EQ(outcome(one("If-None-Match", "\"other\""), "PUT"), proceed);
}

TEST(IfNoneMatch, ProtectsAWriterAlsoWhereItIsMalformed) {
  for (const std::string_view value : {"", "now", "\"now", "\"a\", *"}) {
    EXPECT_EQ(outcome(one("If-None-Match", value), "GET"), proceed) << value;
    EXPECT_EQ(outcome(one("If-None-Match", value), "PUT"), failed) << value;
  }
}

TEST(IfModifiedSince, ComparesTimesForReadersAlone) {
  EXPECT_EQ(outcome(one("If-Modified-Since", changed_text)), not_modified);
  EXPECT_EQ(outcome(one("If-Modified-Since", after_text)), not_modified);
  EXPECT_EQ(outcome(one("If-Modified-Since", before_text)), proceed);
  EXPECT_EQ(outcome(one("If-Modified-Since", changed_text), "HEAD"), not_modified);
  EXPECT_EQ(outcome(one("If-Modified-Since", changed_text), "PUT"), proceed);
}

TEST(IfUnmodifiedSince, ComparesTimesForEverybody) {
  for (const std::string_view method : {"GET", "HEAD", "PUT", "DELETE"}) {
    EXPECT_EQ(outcome(one("If-Unmodified-Since", changed_text), method), proceed);
    EXPECT_EQ(outcome(one("If-Unmodified-Since", after_text), method), proceed);
    EXPECT_EQ(outcome(one("If-Unmodified-Since", before_text), method), failed);
  }
}

TEST(DatesOfConditions, AreIgnoredWhereTheyAreNone) {
  for (const std::string_view name : {"If-Modified-Since", "If-Unmodified-Since"}) {
    for (const std::string_view value : {"", "garbage", "0", "Mon, 09 Sep 2001 01:46:39 GMT"}) {
      EXPECT_EQ(outcome(one(name, value)), proceed) << name << ": " << value;
    }
    for (const std::string_view text : {before_text, after_text}) {
      const Field line{std::string(name), std::string(text)};
      EXPECT_EQ(outcome({line, line}), proceed) << name << " twice";
      Validators timeless = file;
      timeless.last_modified.reset();
      EXPECT_EQ(outcome({line}, "GET", timeless), proceed) << name << " without a time to compare";
      EXPECT_EQ(outcome({line}, "PUT", nothing), proceed) << name << " of nothing";
    }
  }
}

TEST(IfRange, HoldsForTheExactStrongTag) {
  EXPECT_TRUE(range_counts("\"now\""));
  for (const std::string_view value : {"W/\"now\"", "\"nowx\"", "\"no\"", "\"now\", \"a\"", "now",
                                       "*", "", "\"now\"x", "\"old\"", "garbage"}) {
    EXPECT_FALSE(range_counts(value)) << value;
  }
}

TEST(IfRange, NeverHoldsForAWeakTag) {
  Validators weak = file;
  weak.tag->weak = true;
  EXPECT_FALSE(range_counts("W/\"now\"", weak));
  EXPECT_FALSE(range_counts("\"now\"", weak));
  Validators tagless = file;
  tagless.tag.reset();
  EXPECT_FALSE(range_counts("\"now\"", tagless));
}

TEST(IfRange, HoldsForTheExactStrongDate) {
  EXPECT_TRUE(range_counts(changed_text));
  EXPECT_FALSE(range_counts(before_text));
  EXPECT_FALSE(range_counts(after_text)) << "later is no match";
  Validators weak = file;
  weak.last_modified_strong = false;
  EXPECT_FALSE(range_counts(changed_text, weak));
  Validators timeless = file;
  timeless.last_modified.reset();
  EXPECT_FALSE(range_counts(changed_text, timeless));
}

TEST(IfRange, MayStandOnlyOnce) {
  EXPECT_FALSE(evaluate({{"Range", "bytes=0-"}, {"If-Range", "\"now\""}, {"If-Range", "\"now\""}},
                        "GET", file)
                   .range_counts);
}

TEST(Range, CountsForAGetWithOneSuchLine) {
  const Fields fields = one("range", "bytes=0-");
  EXPECT_TRUE(evaluate(fields, "GET", file).range_counts);
  EXPECT_FALSE(evaluate(fields, "HEAD", file).range_counts);
  EXPECT_FALSE(evaluate(fields, "PUT", file).range_counts);
  EXPECT_FALSE(evaluate(fields, "GET", nothing).range_counts);
  EXPECT_FALSE(evaluate(one("If-Range", "\"now\""), "GET", file).range_counts);
  EXPECT_FALSE(evaluate({fields[0], fields[0]}, "GET", file).range_counts);
  EXPECT_FALSE(evaluate({fields[0], {"If-None-Match", "\"now\""}}, "GET", file).range_counts);
}

TEST(Evaluate, LeavesMethodsAloneThatSelectNothing) {
  for (const std::string_view method : {"OPTIONS", "TRACE", "CONNECT"}) {
    EXPECT_EQ(outcome({{"If-Match", "\"old\""}, {"If-None-Match", "*"}}, method), proceed)
        << method;
  }
}

enum class State { absent, holds, fails };
constexpr std::array states{State::absent, State::holds, State::fails};

/// The state of each condition; what holds and what fails is told by the tests above.
struct Combination {
  State if_match, if_unmodified, if_none_match, if_modified, if_range;
};

Fields fields_of(const Combination& all_of_them) {
  Fields fields{{"Range", "bytes=0-0"}};
  const auto add = [&](State state, const char* name, std::string_view holds,
                       std::string_view fails) {
    if (state != State::absent)
      fields.push_back({name, std::string(state == State::holds ? holds : fails)});
  };
  add(all_of_them.if_match, "If-Match", "\"now\"", "\"old\"");
  add(all_of_them.if_unmodified, "If-Unmodified-Since", changed_text, before_text);
  add(all_of_them.if_none_match, "If-None-Match", "\"old\"", "\"now\"");
  add(all_of_them.if_modified, "If-Modified-Since", before_text, changed_text);
  add(all_of_them.if_range, "If-Range", "\"now\"", "\"old\"");
  return fields;
}

/// The steps of RFC 9110 13.2.2, word for word.
Evaluation by_the_standard(const Combination& c, bool get, bool reads) {
  if (c.if_match == State::fails) return {failed, false};                                      // 1
  if (c.if_match == State::absent && c.if_unmodified == State::fails) return {failed, false};  // 2
  if (c.if_none_match == State::fails) return {reads ? not_modified : failed, false};          // 3
  if (reads && c.if_none_match == State::absent && c.if_modified == State::fails) {            // 4
    return {not_modified, false};
  }
  return {proceed, get && c.if_range != State::fails};  // 5 and 6
}

TEST(Evaluate, KeepsTheOrderOfTheStandardInAllCombinations) {
  int combinations = 0;
  for (const State a : states) {
    for (const State b : states) {
      for (const State c : states) {
        for (const State d : states) {
          for (const State e : states) {
            for (const std::string_view method : {"GET", "HEAD", "PUT", "DELETE"}) {
              const Combination combination{a, b, c, d, e};
              const bool get = method == "GET";
              EXPECT_EQ(evaluate(fields_of(combination), method, file),
                        by_the_standard(combination, get, get || method == "HEAD"))
                  << method << " " << static_cast<int>(a) << static_cast<int>(b)
                  << static_cast<int>(c) << static_cast<int>(d) << static_cast<int>(e);
              ++combinations;
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(combinations, 3 * 3 * 3 * 3 * 3 * 4);
}

}  // namespace
}  // namespace headrace::http
