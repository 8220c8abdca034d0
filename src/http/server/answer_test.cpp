#include "http/server/answer.hpp"

#include <gtest/gtest.h>

#include "http/message/listing.hpp"

namespace headrace::http::server {
namespace {

using std::chrono::seconds;

class AnswerTo : public ::testing::Test {
 protected:
  static constexpr Time modified{seconds{1'000'000'000}};

  [[nodiscard]] Surroundings surroundings() const {
    return {.configuration = configuration,
            .loopback = loopback,
            .now = modified + seconds{1000},
            .boundary = "BOUNDARY"};
  }
  Answer operator()(std::string_view method, std::string target, Fields fields = {},
                    std::optional<Found> found = {}) {
    RequestHead head{.method = std::string(method), .target = std::move(target)};
    head.fields = std::move(fields);
    if (!host.empty()) head.fields.push_back({"Host", host});
    Request request;
    auto early = answer_head(std::move(head), surroundings(), request);
    if (early) return std::move(*early);
    if (method == "PUT") {
      auto refused = answer_put(request, found.value_or(Absent{404}), surroundings());
      return refused ? std::move(*refused) : Answer{.status = 0};
    }
    return answer_get(request, found.value_or(&file), surroundings());
  }
  static std::string field(const Answer& answer, std::string_view name) {
    return std::string(find(answer.fields, name).value_or(""));
  }

  Configuration configuration;
  bool loopback = true;
  std::string host = "localhost";
  FileFacts file{.size = 10,
                 .tag = {.opaque = "tag"},
                 .modified = modified,
                 .modified_strong = true,
                 .media_type = "text/plain"};
};

struct Row {
  std::string_view method;
  std::string_view target;
  int status;
};

TEST_F(AnswerTo, MethodsAndTargets) {
  for (const Row& row :
       {Row{"GET", "/f", 200}, Row{"HEAD", "/f", 200}, Row{"GET", "http://localhost/f", 200},
        Row{"OPTIONS", "/f", 200}, Row{"OPTIONS", "*", 200}, Row{"GET", "*", 400},
        Row{"TRACE", "/", 405}, Row{"POST", "/", 405}, Row{"DELETE", "/f", 405},
        Row{"PUT", "/f", 405}, Row{"CONNECT", "host:80", 405}, Row{"BREW", "/", 501},
        Row{"get", "/", 501}, Row{"GET", "/%", 400}, Row{"GET", "/a%00b", 400},
        Row{"GET", "/../f", 404}, Row{"GET", "/%2e%2e/f", 404}, Row{"GET", "/a%2ff", 404},
        Row{"GET", "f", 400}}) {
    const Answer answer = (*this)(row.method, std::string(row.target));
    EXPECT_EQ(answer.status, row.status) << row.method << ' ' << row.target;
    EXPECT_FALSE(answer.close) << row.method << ' ' << row.target;
    EXPECT_EQ(answer.why.empty(), row.status == 200) << row.method << ' ' << row.target;
    EXPECT_EQ(answer.why.find('\n'), std::string::npos) << answer.why;
  }
}

TEST_F(AnswerTo, AMethodThatIsNotOfferedNamesThoseThatAre) {
  EXPECT_EQ(field((*this)("DELETE", "/f"), "Allow"), "GET, HEAD, OPTIONS");
  configuration.uploads = Uploads::stored;
  EXPECT_EQ(field((*this)("OPTIONS", "*"), "Allow"), "GET, HEAD, OPTIONS, PUT");
}

TEST_F(AnswerTo, NamesThatAreNotOursOnALoopbackAddress) {
  for (const std::string_view ours : {"localhost", "LOCALHOST:8080", "127.0.0.1", "[::1]:80", ""}) {
    host = ours;
    EXPECT_EQ((*this)("GET", "http:///f").status == 200 || (*this)("GET", "/f").status == 200, true)
        << ours;
  }
  host = "evil.example";
  EXPECT_EQ((*this)("GET", "/f").status, 421);
  EXPECT_EQ((*this)("OPTIONS", "*").status, 421);
  host = "localhost";
  EXPECT_EQ((*this)("GET", "http://evil.example/f").status, 421);
  configuration.allowed_hosts = {"evil.example"};
  EXPECT_EQ((*this)("GET", "http://evil.example/f").status, 200);
}

TEST_F(AnswerTo, NamesOnOtherAddressesAreNobodysBusiness) {
  loopback = false;
  host = "any.example";
  EXPECT_EQ((*this)("GET", "/f").status, 200);
  host = "a b";
  EXPECT_EQ((*this)("GET", "/f").status, 400);
}

TEST_F(AnswerTo, ExpectationsThatNobodyKnows) {
  EXPECT_EQ((*this)("GET", "/f", {{"Expect", "tea"}}).status, 417);
  EXPECT_EQ((*this)("GET", "/f", {{"Expect", "tea"}}).why,
            "an expectation other than 100-continue");
  EXPECT_EQ((*this)("GET", "/f", {{"Expect", "100-Continue"}}).status, 200);
}

TEST_F(AnswerTo, ABodyThatNobodyReadsEndsTheConnection) {
  EXPECT_TRUE((*this)("GET", "/f", {{"Content-Length", "5"}}).close);
  EXPECT_TRUE((*this)("POST", "/f", {{"Transfer-Encoding", "chunked"}}).close);
  EXPECT_FALSE((*this)("POST", "/f", {{"Content-Length", "0"}}).close);
}

TEST_F(AnswerTo, TwoLengthsEndTheConnection) {
  const Answer answer =
      (*this)("GET", "/f", {{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_TRUE(answer.close);
}

TEST_F(AnswerTo, WhatIsNotThere) {
  EXPECT_EQ((*this)("GET", "/f", {}, Absent{404}).status, 404);
  EXPECT_EQ((*this)("GET", "/f", {}, Absent{403}).status, 403);
}

TEST_F(AnswerTo, ADirectoryWithoutItsSlash) {
  const Answer answer = (*this)("GET", "/a%0d%0ab%20c?q=1", {}, Directory{});
  EXPECT_EQ(answer.status, 301);
  EXPECT_EQ(field(answer, "Location"), "/a%0D%0Ab%20c/?q=1");
}

TEST_F(AnswerTo, ADirectoryIsListedAsTheClientLikesIt) {
  const auto type = [&](const char* accept) {
    const Answer answer = (*this)("GET", "/d/", {{"Accept", accept}}, Directory{});
    EXPECT_EQ(answer.content, Answer::Content::listing) << accept;
    return answer.listing_type;
  };
  EXPECT_EQ(type("*/*"), listing_html_type);
  EXPECT_EQ(type(""), listing_html_type);
  EXPECT_EQ(type("application/json"), listing_json_type);
  EXPECT_EQ(type("text/plain"), listing_text_type);
  EXPECT_EQ(type("text/plain;q=0.5, application/json;q=0.9"), listing_json_type);
  EXPECT_EQ(type("application/json;q=0, text/plain"), listing_text_type);
  EXPECT_EQ(type("image/png"), listing_html_type);
}

TEST_F(AnswerTo, AWholeFileHasItsHeadAlready) {
  const Answer answer = (*this)("GET", "/f");
  EXPECT_TRUE(answer.prepared);
  EXPECT_EQ(answer.length, 10);
}

TEST_F(AnswerTo, Preconditions) {
  EXPECT_EQ((*this)("GET", "/f", {{"If-None-Match", "\"tag\""}}).status, 304);
  EXPECT_EQ((*this)("GET", "/f", {{"If-None-Match", "\"other\""}}).status, 200);
  EXPECT_EQ((*this)("GET", "/f", {{"If-Match", "\"other\""}}).status, 412);
  EXPECT_EQ((*this)("GET", "/f", {{"If-Modified-Since", print_date(modified)}}).status, 304);
  const Answer unchanged = (*this)("HEAD", "/f", {{"If-None-Match", "*"}});
  EXPECT_EQ(unchanged.content, Answer::Content::none);
  EXPECT_EQ(field(unchanged, "ETag"), "\"tag\"");
}

TEST_F(AnswerTo, OneRange) {
  const Answer answer = (*this)("GET", "/f", {{"Range", "bytes=-3"}});
  EXPECT_EQ(answer.status, 206);
  EXPECT_EQ(field(answer, "Content-Range"), "bytes 7-9/10");
  EXPECT_EQ(answer.length, 3);
  EXPECT_EQ(answer.ranges, (std::vector<Range>{{7, 9}}));
  EXPECT_TRUE(answer.part_heads.empty());
}

TEST_F(AnswerTo, RangesThatCannotBeOrNeedNotBe) {
  const Answer none = (*this)("GET", "/f", {{"Range", "bytes=10-"}});
  EXPECT_EQ(none.status, 416);
  EXPECT_EQ(field(none, "Content-Range"), "bytes */10");
  EXPECT_TRUE((*this)("GET", "/f", {{"Range", "lines=1-2"}}).prepared);
  EXPECT_TRUE((*this)("HEAD", "/f", {{"Range", "bytes=0-1"}}).prepared);
  EXPECT_TRUE((*this)("GET", "/f", {{"Range", "bytes=0-1"}, {"If-Range", "\"older\""}}).prepared);
}

TEST_F(AnswerTo, SeveralRangesHaveHeadsOfTheirOwn) {
  const Answer answer = (*this)("GET", "/f", {{"Range", "bytes=0-0,-1"}});
  EXPECT_EQ(answer.status, 206);
  EXPECT_EQ(field(answer, "Content-Type"), "multipart/byteranges; boundary=BOUNDARY");
  ASSERT_EQ(answer.part_heads.size(), 3);
  EXPECT_EQ(answer.part_heads[1],
            "\r\n--BOUNDARY\r\nContent-Type: text/plain\r\nContent-Range: bytes 9-9/10\r\n\r\n");
  EXPECT_EQ(answer.part_heads[2], "\r\n--BOUNDARY--\r\n");
  Bytes length = 2;
  for (const std::string& head : answer.part_heads) length += head.size();
  EXPECT_EQ(answer.length, length);
}

class AnswerToPut : public AnswerTo {
 protected:
  void SetUp() override { configuration.uploads = Uploads::stored; }
  static constexpr int taken = 0;
  const Field length{"Content-Length", "5"};
};

TEST_F(AnswerToPut, WhatMayCome) {
  EXPECT_EQ((*this)("PUT", "/f", {length}).status, taken);
  EXPECT_EQ((*this)("PUT", "/f", {{"Transfer-Encoding", "chunked"}}, &file).status, taken);
  EXPECT_EQ((*this)("PUT", "/f", {length, {"If-Match", "\"tag\""}}, &file).status, taken);
  EXPECT_EQ((*this)("PUT", "/f", {length, {"If-None-Match", "*"}}).status, taken);
}

TEST_F(AnswerToPut, WhatMayNot) {
  EXPECT_EQ((*this)("PUT", "/f").status, 411);
  EXPECT_EQ((*this)("PUT", "/f", {length, {"Content-Range", "bytes 0-4/10"}}).status, 400);
  EXPECT_EQ((*this)("PUT", "/f", {length, {"If-None-Match", "*"}}, &file).status, 412);
  EXPECT_EQ((*this)("PUT", "/f", {length, {"If-Match", "\"tag\""}}).status, 412);
  EXPECT_EQ((*this)("PUT", "/d/.hidden", {length}).status, 403);
  EXPECT_EQ((*this)("PUT", "/f", {length}, Absent{403}).status, 403);
  configuration.max_upload = 4;
  const Answer large = (*this)("PUT", "/f", {length});
  EXPECT_EQ(large.status, 413);
  EXPECT_TRUE(large.close);
}

}  // namespace
}  // namespace headrace::http::server
