#include "http/message/framing.hpp"

#include <gtest/gtest.h>

namespace headrace::http {
namespace {

using Kind = BodyFraming::Kind;

std::string text_of(const Result<BodyFraming>& framing) {
  if (!framing) return framing.error().code.message();
  switch (framing->kind) {
    case Kind::none:
      return "none";
    case Kind::length:
      return std::to_string(framing->length);
    case Kind::chunked:
      return "chunked";
    case Kind::until_close:
      return "until close";
  }
  return "";
}

std::string of_request(const Fields& fields, int minor_version = 1) {
  return text_of(framing_of(RequestHead{
      .method = "PUT", .target = "/", .minor_version = minor_version, .fields = fields}));
}

std::string of_response(int status, const Fields& fields, std::string_view method = "GET",
                        int minor_version = 1) {
  const ResponseHead head{.status = status, .minor_version = minor_version, .fields = fields};
  return text_of(framing_of(head, method));
}

std::string text_of(HeadFault fault) { return make_error_code(fault).message(); }

TEST(FramingOfARequest, IsWhatItsFieldsSay) {
  EXPECT_EQ(of_request({}), "none");
  EXPECT_EQ(of_request({{"content-LENGTH", "5"}}), "5");
  EXPECT_EQ(of_request({{"Content-Length", "0"}}), "0");
  EXPECT_EQ(of_request({{"Content-Length", "5"}}, 0), "5");
  EXPECT_EQ(of_request({{"Content-Length", "0000000000000000000000000005"}}), "5");
  EXPECT_EQ(of_request({{"Content-Length", "9223372036854775807"}}), "9223372036854775807");
  EXPECT_EQ(of_request({{"Transfer-Encoding", "chunked"}}), "chunked");
  EXPECT_EQ(of_request({{"transfer-encoding", "Chunked"}}), "chunked");
  EXPECT_EQ(of_request({{"Transfer-Encoding", ", chunked ,"}}), "chunked");
  EXPECT_EQ(of_request({{"Transfer-Encoding", ""}, {"Transfer-Encoding", "chunked"}}), "chunked");
}

struct Row {
  Fields fields;
  HeadFault fault;
};

std::vector<Row> never_right() {
  return {
      {{{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}}, HeadFault::length_and_coding},
      {{{"Transfer-Encoding", "chunked"}, {"Content-Length", "5"}}, HeadFault::length_and_coding},
      {{{"Transfer-Encoding", ""}, {"Content-Length", ""}}, HeadFault::length_and_coding},
      {{{"Content-Length", "5"}, {"Content-Length", "6"}}, HeadFault::several_lengths},
      {{{"Content-Length", "5"}, {"Content-Length", "5"}}, HeadFault::several_lengths},
      {{{"Content-Length", "5, 5"}}, HeadFault::several_lengths},
      {{{"Content-Length", "5,"}}, HeadFault::several_lengths},
      {{{"Content-Length", ""}}, HeadFault::bad_length},
      {{{"Content-Length", "+5"}}, HeadFault::bad_length},
      {{{"Content-Length", "-1"}}, HeadFault::bad_length},
      {{{"Content-Length", "0x5"}}, HeadFault::bad_length},
      {{{"Content-Length", "5a"}}, HeadFault::bad_length},
      {{{"Content-Length", "5 "}}, HeadFault::bad_length},
      {{{"Content-Length", "5;6"}}, HeadFault::bad_length},
      {{{"Content-Length", "9223372036854775808"}}, HeadFault::bad_length},
      {{{"Content-Length", "18446744073709551615"}}, HeadFault::bad_length},
      {{{"Content-Length", "18446744073709551621"}}, HeadFault::bad_length},
      {{{"Transfer-Encoding", ""}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", " , "}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "chunked, gzip"}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "chunked, chunked"}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}},
       HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "x"}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "gzip"}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "gzip, chunked"}}, HeadFault::coding_not_supported},
      {{{"Transfer-Encoding", "identity"}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "xchunked"}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "chunked;q=1"}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "\"chunked\""}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "chunked\x0B"}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "chun ked"}}, HeadFault::coding_not_final},
      {{{"Transfer-Encoding", "\"a, chunked"}}, HeadFault::coding_not_final},
  };
}

TEST(Framing, IsRefusedInBothRolesWhereTwoReadersCouldDiffer) {
  for (const Row& row : never_right()) {
    std::string name;
    for (const Field& field : row.fields) name += field.name + ": " + field.value + "\n";
    EXPECT_EQ(of_request(row.fields), text_of(row.fault)) << name;
    EXPECT_EQ(of_response(200, row.fields), text_of(row.fault)) << name;
  }
}

TEST(Framing, KnowsNoCodingInAnOldVersion) {
  const Fields fields{{"Transfer-Encoding", "chunked"}};
  EXPECT_EQ(of_request(fields, 0), text_of(HeadFault::coding_in_old_version));
  EXPECT_EQ(of_response(200, fields, "GET", 0), text_of(HeadFault::coding_in_old_version));
}

TEST(FramingOfAResponse, IsWhatItsFieldsSayAndElseTheRestOfTheConnection) {
  EXPECT_EQ(of_response(200, {{"Content-Length", "5"}}), "5");
  EXPECT_EQ(of_response(404, {{"Transfer-Encoding", "chunked"}}), "chunked");
  EXPECT_EQ(of_response(200, {}), "until close");
  EXPECT_EQ(of_response(200, {}, "GET", 0), "until close");
  EXPECT_EQ(of_response(201, {}, "PUT"), "until close");
  EXPECT_EQ(of_response(206, {{"Content-Length", "0"}}), "0");
}

TEST(FramingOfAResponse, HasNoBodyWhereStatusOrMethodForbidIt) {
  const Fields length{{"Content-Length", "5"}};
  const Fields chunked{{"Transfer-Encoding", "chunked"}};
  for (const int status : {100, 101, 103, 199, 204, 304}) {
    EXPECT_EQ(of_response(status, length), "none") << status;
    EXPECT_EQ(of_response(status, chunked), "none") << status;
    EXPECT_EQ(of_response(status, {}), "none") << status;
  }
  EXPECT_EQ(of_response(200, length, "HEAD"), "none");
  EXPECT_EQ(of_response(404, chunked, "HEAD"), "none");
  EXPECT_EQ(of_response(200, {}, "HEAD"), "none");
  EXPECT_EQ(of_response(200, length, "head"), "5");  // methods have a case
  EXPECT_EQ(of_response(200, length, "CONNECT"), "none");
  EXPECT_EQ(of_response(407, length, "CONNECT"), "5");
}

TEST(DeclaredLength, IsAbsentWhereTheFieldIs) {
  EXPECT_EQ(*declared_length({{"Content-Type", "5"}}), std::nullopt);
  EXPECT_EQ(*declared_length({{"Content-Length", "17"}}), 17);
}

TEST(KeepsOpen, FollowsTheVersionUnlessConnectionSaysOtherwise) {
  const auto kept = [](int minor_version, const Fields& fields) {
    const bool request = keeps_open(RequestHead{.minor_version = minor_version, .fields = fields});
    const bool response =
        keeps_open(ResponseHead{.minor_version = minor_version, .fields = fields});
    EXPECT_EQ(request, response);
    return request;
  };
  EXPECT_TRUE(kept(1, {}));
  EXPECT_FALSE(kept(0, {}));
  EXPECT_FALSE(kept(1, {{"Connection", "close"}}));
  EXPECT_FALSE(kept(1, {{"connection", "upgrade, CLOSE"}}));
  EXPECT_FALSE(kept(1, {{"Connection", "keep-alive"}, {"Connection", "close"}}));
  EXPECT_TRUE(kept(0, {{"Connection", "Keep-Alive"}}));
  EXPECT_FALSE(kept(0, {{"Connection", "keep-alive, close"}}));
  EXPECT_TRUE(kept(1, {{"Connection", "TE"}}));
  EXPECT_TRUE(kept(1, {{"Connection", "closed"}}));
  EXPECT_FALSE(kept(0, {{"Keep-Alive", "timeout=5"}}));
}

}  // namespace
}  // namespace headrace::http
