#include "http/message/head.hpp"

#include <gtest/gtest.h>

namespace headrace::http {
namespace {

constexpr std::string_view small_head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(HeadEnd, IsBehindTheEmptyLine) {
  EXPECT_EQ(head_end(small_head), small_head.size());
  EXPECT_EQ(head_end(std::string(small_head) + "body\r\n\r\n"), small_head.size());
  EXPECT_EQ(head_end(std::string(small_head) + std::string(small_head)), small_head.size());
  EXPECT_EQ(head_end("GET / HTTP/1.0\r\n\r\n"), 18);
}

TEST(HeadEnd, IsUnknownUntilTheLastByteHasCome) {
  for (std::size_t size = 0; size < small_head.size(); ++size) {
    EXPECT_EQ(head_end(small_head.substr(0, size)), std::nullopt) << size;
  }
}

TEST(HeadEnd, MayBeLookedForFromWhereTheLastLookEnded) {
  for (const std::string_view head :
       {small_head, std::string_view("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        std::string_view("\r\n\r\nGET / HTTP/1.1\r\n\r\n"), std::string_view("\r\n\r\n\r\n"),
        std::string_view("a\r\n b\r\n\r\n")}) {
    for (std::size_t size = 0; size < head.size(); ++size) {
      EXPECT_EQ(head_end(head.substr(0, size), size - std::min<std::size_t>(size, 1)),
                std::nullopt);
      EXPECT_EQ(head_end(head, size), head.size()) << head << " from " << size;
    }
  }
}

TEST(HeadEnd, CountsTwoEmptyLinesBeforeTheHeadAndEndsAtAThird) {
  EXPECT_EQ(head_end("\r\nGET / HTTP/1.1\r\n\r\n"), 20);
  EXPECT_EQ(head_end("\r\n\r\nGET / HTTP/1.1\r\n\r\n"), 22);
  EXPECT_EQ(head_end("\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n"), 6);
  EXPECT_EQ(head_end("\r\n\r\n"), std::nullopt);
}

TEST(HeadEnd, IsAtTheFirstByteThatNoHeadMayContain) {
  using namespace std::string_view_literals;
  EXPECT_EQ(head_end("GET / HTTP/1.1\nHost: a\n\n"), 15);
  EXPECT_EQ(head_end("\nGET"), 1);
  EXPECT_EQ(head_end("GET /\rx"), 6);
  EXPECT_EQ(head_end("GET /\r\r\n"), 6);
  EXPECT_EQ(head_end("GET /\0x"sv), 6);
  EXPECT_EQ(head_end("\x16\x03\x01\x02"), 1);  // TLS
  EXPECT_EQ(head_end("a\x7F"), 2);
  EXPECT_EQ(head_end("a\r\n\n"), 4);
  EXPECT_EQ(head_end("a\tb\x80\xFF"), std::nullopt);
}

TEST(Oversized, SaysWhetherTheTargetWasTooLongOrTheFields) {
  EXPECT_EQ(oversized("GET /aaaaaaaaaaaaaaaaaa"), HeadFault::target_too_long);
  EXPECT_EQ(oversized("\r\n\r\nGET /aaaaaaaaaa"), HeadFault::target_too_long);
  EXPECT_EQ(oversized("GET / HTTP/1.1\r\nX: aaaaaa"), HeadFault::head_too_long);
}

TEST(Print, WritesARequestAsItIsSent) {
  const RequestHead head{.method = "PUT",
                         .target = "/a?b",
                         .fields = {{"Host", "x"}, {"Content-Length", "3"}, {"Empty", ""}}};
  EXPECT_EQ(*print(head), "PUT /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nEmpty: \r\n\r\n");
}

TEST(Print, WritesAResponseAsItIsSent) {
  ResponseHead head{.status = 206, .reason = "Partial Content", .fields = {{"ETag", "\"a\""}}};
  EXPECT_EQ(*print(head), "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\n\r\n");
  head.minor_version = 0;
  head.reason = "";
  EXPECT_EQ(*print(head), "HTTP/1.0 206 \r\nETag: \"a\"\r\n\r\n");
}

TEST(Print, ReservesEnoughForTheWholeHead) {
  const auto request = print(RequestHead{.method = "GET", .target = "/", .fields = {{"a", "b"}}});
  EXPECT_EQ(*request, "GET / HTTP/1.1\r\na: b\r\n\r\n");
  const auto response = print(ResponseHead{.status = 200});
  EXPECT_EQ(*response, "HTTP/1.1 200 \r\n\r\n");
}

// Every place of a head that a name from outside can reach, and every byte that would change it.
TEST(Print, LetsNothingBeInjected) {
  const auto refused = [](const auto& head, HeadFault fault) {
    const auto printed = print(head);
    return !printed && printed.error().code == fault;
  };
  for (int value = 0; value < 256; ++value) {
    const char c = static_cast<char>(value);
    const bool control = (value < 0x20 && c != '\t') || value == 0x7F;
    const std::string text = std::string("a") + c + "b";
    RequestHead request{.method = "GET", .target = "/", .fields = {{"Host", "x"}}};
    ResponseHead response{.status = 200, .reason = text};
    EXPECT_EQ(refused(response, HeadFault::control_byte), control) << value;
    response = {.status = 200, .fields = {{"Location", text}}};
    EXPECT_EQ(refused(response, HeadFault::control_byte), control) << value;
    response = {.status = 200, .fields = {{text, "x"}}};
    EXPECT_EQ(refused(response, HeadFault::bad_field_name), !is_token(text)) << value;
    request.target = text;
    EXPECT_EQ(refused(request, HeadFault::bad_target), control || c == ' ' || c == '\t') << value;
    request.target = "/";
    request.method = text;
    EXPECT_EQ(refused(request, HeadFault::bad_method), !is_token(text)) << value;
    request.method = "GET";
    request.fields = {{"Host", text}};
    EXPECT_EQ(refused(request, HeadFault::control_byte), control) << value;
  }
}

TEST(Print, RefusesWhatNobodyCouldRead) {
  EXPECT_EQ(print(RequestHead{.method = "", .target = "/"}).error().code, HeadFault::bad_method);
  EXPECT_EQ(print(RequestHead{.method = "GET", .target = ""}).error().code, HeadFault::bad_target);
  EXPECT_EQ(print(RequestHead{.method = "GET", .target = "/", .minor_version = 2}).error().code,
            HeadFault::bad_version);
  EXPECT_EQ(print(RequestHead{.method = "GET", .target = "/", .fields = {{"", "x"}}}).error().code,
            HeadFault::bad_field_name);
  EXPECT_EQ(print(ResponseHead{.status = 99}).error().code, HeadFault::bad_status_line);
  EXPECT_EQ(print(ResponseHead{.status = 1000}).error().code, HeadFault::bad_status_line);
  EXPECT_EQ(print(ResponseHead{.status = 200, .minor_version = -1}).error().code,
            HeadFault::bad_version);
}

}  // namespace
}  // namespace headrace::http
