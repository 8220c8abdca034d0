#include "http/client/content.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace headrace::http::client {
namespace {

using Kind = BodyFraming::Kind;

constexpr std::string_view tag = R"("v1")";

ResponseHead answer(int status, Fields fields = {}) {
  return {.status = status, .reason = "", .minor_version = 1, .fields = std::move(fields)};
}

BodyFraming of_length(Bytes length) { return {.kind = Kind::length, .length = length}; }

Field range(const std::string& text) { return {"Content-Range", text}; }

/// 1000 bytes are here of 5000, and a validator says of what.
Continuation with_validator() {
  return {.have = 1000, .from = 1000, .validator = std::string(tag), .total = 5000};
}

/// 1000 bytes are here, and only a comparison of the last hundred tells.
Continuation with_overlap() { return {.have = 1000, .from = 900, .validator = "", .total = {}}; }

struct Case {
  const char* name;
  ResponseHead head;
  BodyFraming framing;
  std::optional<Continuation> asked;
  Use use;
};

std::vector<Case> cases_without_continuation() {
  return {
      {"200", answer(200), of_length(5000), {}, Use::whole},
      {"200 empty", answer(200), of_length(0), {}, Use::whole},
      {"200 in chunks", answer(200), {.kind = Kind::chunked}, {}, Use::whole},
      {"200 encoded", answer(200, {{"Content-Encoding", "gzip"}}), of_length(9), {}, Use::whole},
      {"203", answer(203), of_length(5), {}, Use::whole},
      {"204", answer(204), {}, {}, Use::whole},
      {"206 nobody asked for",
       answer(206, {range("bytes 0-4/5")}),
       of_length(5),
       {},
       Use::unexpected},
      {"304", answer(304), {}, {}, Use::unexpected},
      {"300", answer(300), of_length(5), {}, Use::unexpected},
      {"404", answer(404), of_length(5), {}, Use::error},
      {"416", answer(416, {range("bytes */10")}), of_length(5), {}, Use::error},
      {"500", answer(500), of_length(5), {}, Use::error},
  };
}

std::vector<Case> cases_with_validator() {
  const auto asked = with_validator();
  auto complete = asked;
  complete.total = complete.have;
  return {
      {"all of the rest", answer(206, {range("bytes 1000-4999/5000")}), of_length(4000), asked,
       Use::rest},
      {"the same tag", answer(206, {range("bytes 1000-4999/5000"), {"ETag", std::string(tag)}}),
       of_length(4000), asked, Use::rest},
      {"in chunks",
       answer(206, {range("bytes 1000-4999/5000")}),
       {.kind = Kind::chunked},
       asked,
       Use::rest},
      {"identity is no coding",
       answer(206, {range("bytes 1000-4999/5000"), {"Content-Encoding", "identity"}}),
       of_length(4000), asked, Use::rest},
      {"another tag", answer(206, {range("bytes 1000-4999/5000"), {"ETag", R"("v2")"}}),
       of_length(4000), asked, Use::start_over},
      {"a weak tag", answer(206, {range("bytes 1000-4999/5000"), {"ETag", R"(W/"v1")"}}),
       of_length(4000), asked, Use::start_over},
      {"another start", answer(206, {range("bytes 999-4999/5000")}), of_length(4001), asked,
       Use::start_over},
      {"from the beginning", answer(206, {range("bytes 0-4999/5000")}), of_length(5000), asked,
       Use::start_over},
      {"another total", answer(206, {range("bytes 1000-5999/6000")}), of_length(5000), asked,
       Use::start_over},
      {"a total nobody knows", answer(206, {range("bytes 1000-4999/*")}), of_length(4000), asked,
       Use::start_over},
      {"not up to the end", answer(206, {range("bytes 1000-1999/5000")}), of_length(1000), asked,
       Use::start_over},
      {"two lengths", answer(206, {range("bytes 1000-4999/5000")}), of_length(3999), asked,
       Use::start_over},
      {"no range", answer(206), of_length(4000), asked, Use::start_over},
      {"several ranges", answer(206, {{"Content-Type", "multipart/byteranges; boundary=x"}}),
       of_length(4000), asked, Use::start_over},
      {"a malformed range", answer(206, {range("bytes 1000-/5000")}), of_length(4000), asked,
       Use::start_over},
      {"encoded", answer(206, {range("bytes 1000-4999/5000"), {"Content-Encoding", "gzip"}}),
       of_length(4000), asked, Use::encoded},
      {"the range ignored", answer(200), of_length(5000), asked, Use::whole},
      {"changed, and shorter now", answer(200), of_length(10), asked, Use::whole},
      {"the whole, encoded", answer(200, {{"Content-Encoding", "br"}}), of_length(100), asked,
       Use::encoded},
      {"204", answer(204), {}, asked, Use::unexpected},
      {"304", answer(304), {}, asked, Use::unexpected},
      {"416 of a complete one", answer(416, {range("bytes */1000")}), of_length(20), complete,
       Use::complete},
      {"416 of a complete one, tagged",
       answer(416, {range("bytes */1000"), {"ETag", std::string(tag)}}), of_length(20), complete,
       Use::complete},
      {"416 of another version", answer(416, {range("bytes */1000"), {"ETag", "\"v0\""}}),
       of_length(20), complete, Use::start_over},
      {"416 of one cut to what is here", answer(416, {range("bytes */1000")}), of_length(20), asked,
       Use::start_over},
      {"416 of one cut to less", answer(416, {range("bytes */999")}), of_length(20), asked,
       Use::start_over},
      {"416 although more is there", answer(416, {range("bytes */5000")}), of_length(20), asked,
       Use::start_over},
      {"416 without a length", answer(416), of_length(20), asked, Use::start_over},
      {"412", answer(412), of_length(20), asked, Use::error},
      {"503", answer(503), of_length(20), asked, Use::error},
  };
}

std::vector<Case> cases_with_overlap() {
  const auto asked = with_overlap();
  return {
      {"all of the rest", answer(206, {range("bytes 900-4999/5000")}), of_length(4100), asked,
       Use::rest},
      {"nothing but the overlap", answer(206, {range("bytes 900-999/1000")}), of_length(100), asked,
       Use::rest},
      {"shorter than what is here", answer(206, {range("bytes 900-949/950")}), of_length(50), asked,
       Use::longer},
      {"in chunks",
       answer(206, {range("bytes 900-4999/5000")}),
       {.kind = Kind::chunked},
       asked,
       Use::start_over},
      {"the range ignored", answer(200), of_length(5000), asked, Use::whole},
      {"the range ignored, of the same length", answer(200), of_length(1000), asked, Use::whole},
      {"the range ignored, shorter", answer(200), of_length(999), asked, Use::longer},
      {"the range ignored, length unknown",
       answer(200),
       {.kind = Kind::until_close},
       asked,
       Use::whole},
      {"416 of a complete one", answer(416, {range("bytes */1000")}), of_length(20), asked,
       Use::complete},
  };
}

void expect_all(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    EXPECT_EQ(judge(each.head, each.framing, each.asked).use, each.use) << each.name;
  }
}

TEST(Judge, KnowsWhatAnswersMeanWhereEverythingWasAskedFor) {
  expect_all(cases_without_continuation());
}

TEST(Judge, KnowsWhatAnswersMeanForAPartWithAValidator) { expect_all(cases_with_validator()); }

TEST(Judge, KnowsWhatAnswersMeanForAPartThatIsCompared) { expect_all(cases_with_overlap()); }

TEST(Judge, TellsTheLengthOfTheWholeAndOfWhatFollows) {
  const auto whole = judge(answer(200), of_length(5000), {});
  EXPECT_EQ(whole.total, 5000);
  EXPECT_EQ(whole.length, 5000);
  const auto unknown = judge(answer(200), {.kind = Kind::chunked}, {});
  EXPECT_EQ(unknown.total, std::nullopt);
  EXPECT_EQ(unknown.length, std::nullopt);
  const auto rest =
      judge(answer(206, {range("bytes 900-4999/5000")}), of_length(4100), with_overlap());
  EXPECT_EQ(rest.total, 5000);
  EXPECT_EQ(rest.length, 4100);
}

TEST(Judge, NamesBothLengthsWhereMoreIsHere) {
  for (const auto& [head, framing] : {std::pair{answer(416, {range("bytes */10")}), of_length(5)},
                                      std::pair{answer(200), of_length(10)}}) {
    const auto verdict = judge(head, framing, with_overlap());
    EXPECT_EQ(verdict.use, Use::longer);
    EXPECT_NE(verdict.why.find("1000 bytes"), std::string::npos) << verdict.why;
    EXPECT_NE(verdict.why.find("10"), std::string::npos) << verdict.why;
  }
}

TEST(RangeFields, AskForTheRestOfJustThatVersion) {
  EXPECT_EQ(range_fields(with_validator()),
            (Fields{{"Range", "bytes=1000-"}, {"If-Range", std::string(tag)}}));
  EXPECT_EQ(range_fields(with_overlap()), (Fields{{"Range", "bytes=900-"}}));
}

TEST(StrongValidator, IsTheEntityTagUnlessItIsWeak) {
  EXPECT_EQ(strong_validator({{"ETag", R"("a")"}}, Time{}), R"("a")");
  EXPECT_EQ(strong_validator({{"ETag", R"(W/"a")"}}, Time{}), "");
  EXPECT_EQ(strong_validator({{"ETag", "a"}}, Time{}), "");
  EXPECT_EQ(strong_validator({}, Time{}), "");
}

TEST(StrongValidator, IsTheDateWhereThatIsOldEnough) {
  const Field modified{"Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"};
  const auto with = [&](const std::string& date) {
    return strong_validator({{"ETag", R"(W/"a")"}, modified, {"Date", date}}, Time{});
  };
  EXPECT_EQ(with("Sun, 06 Nov 1994 08:50:37 GMT"), modified.value);
  EXPECT_EQ(with("Sun, 06 Nov 1994 08:50:36 GMT"), "");
  EXPECT_EQ(with("Sun, 06 Nov 1994 08:49:00 GMT"), "") << "a Date before the change";
  EXPECT_EQ(with("yesterday"), "");
  EXPECT_EQ(strong_validator({modified}, Time{}), "") << "no Date at all";
}

TEST(ContentCoding, LeavesIdentityOut) {
  EXPECT_EQ(content_coding({}), "");
  EXPECT_EQ(content_coding({{"Content-Encoding", "identity"}}), "");
  EXPECT_EQ(content_coding({{"Content-Encoding", "gzip"}, {"Content-Encoding", "br"}}), "gzip, br");
}

}  // namespace
}  // namespace headrace::http::client
