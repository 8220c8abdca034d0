#include "http/client/answer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "http/client/fault.hpp"
#include "http/client/http_testing.hpp"

namespace headrace::http::client {
namespace {

ResponseHead head_of(std::string_view type, std::string_view coding = {}) {
  ResponseHead head{.status = 400, .fields = {}};
  if (!type.empty()) head.fields.push_back({"Content-Type", std::string(type)});
  if (!coding.empty()) head.fields.push_back({"Content-Encoding", std::string(coding)});
  return head;
}

TEST(TextOfBody, IsWhatPeopleCanRead) {
  EXPECT_EQ(text_of_body(head_of(""), " no\r\nroom\x1b "), "no  room");
  EXPECT_EQ(text_of_body(head_of("text/plain; charset=utf-8"), "€"), "€");
  EXPECT_EQ(text_of_body(head_of("application/problem+json"), "{}"), "{}");
  EXPECT_EQ(text_of_body(head_of("text/html"), "<html>"), "");
  EXPECT_EQ(text_of_body(head_of("image/png"), "PNG"), "");
  EXPECT_EQ(text_of_body(head_of("text/plain", "gzip"), "zip"), "");
  EXPECT_EQ(text_of_body(head_of(""), std::string(most_text, 'x')).size(), most_text);
  EXPECT_EQ(text_of_body(head_of(""), std::string(most_text + 1, 'x')), "");
}

// A server that says this to whoever connects, and closes.
struct Told {
  explicit Told(std::string text)
      : server([text = std::move(text)](const testing::ServerEnd& end) { end.send(text); }),
        connection(Connection::open(server.url("/"), {}).value()) {}
  testing::HttpServer server;
  Connection connection;
};

Leftover drained(const std::string& answer) {
  Told told(answer);
  const auto head = receive_final_head(told.connection);
  EXPECT_TRUE(head) << answer;
  return head ? drain(told.connection, *head, "PUT") : Leftover{};
}

TEST(Drain, ReadsWhateverFramingTheAnswerHas) {
  struct Row {
    std::string answer;
    std::string text;
    bool clean;
  };
  const std::string ok = "HTTP/1.1 400 No\r\n";
  const std::vector<Row> rows{
      {ok + "Content-Length: 2\r\n\r\nno", "no", true},
      {ok + "Content-Length: 2\r\nConnection: close\r\n\r\nno", "no", false},
      {ok + "Content-Length: 3\r\n\r\nno", "", false},
      {ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nn\r\n1;a=b\r\no\r\n0\r\nX: 1\r\n\r\n", "no",
       true},
      {ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nn\r\nz", "", false},
      {ok + "\r\nno", "no", false},
      {"HTTP/1.1 204 No Content\r\n\r\n", "", true},
      {"HTTP/1.0 400 No\r\nContent-Length: 2\r\n\r\nno", "no", false},
      {ok + "Content-Length: 70000\r\n\r\n" + std::string(70000, 'x'), "", false},
      {ok + "Content-Length: 60000\r\n\r\n" + std::string(60000, 'x'), "", true}};
  for (const Row& row : rows) {
    const Leftover rest = drained(row.answer);
    EXPECT_EQ(rest.text, row.text) << row.answer.substr(0, 100);
    EXPECT_EQ(rest.clean, row.clean) << row.answer.substr(0, 100);
  }
}

Result<int> final_status(const std::string& answer) {
  Told told(answer);
  const auto head = receive_final_head(told.connection);
  if (!head) return std::unexpected(head.error());
  return head->status;
}

TEST(FinalHead, ComesBehindInterimOnes) {
  const std::string interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
  EXPECT_EQ(final_status(interim + interim + "HTTP/1.1 201 Created\r\n\r\n").value(), 201);
}

TEST(FinalHead, IsNotWaitedForWithoutEnd) {
  std::string many;
  for (int interim = 0; interim <= most_interim; ++interim) many += "HTTP/1.1 102 Wait\r\n\r\n";
  EXPECT_EQ(final_status(many + "HTTP/1.1 201 Created\r\n\r\n").error().code,
            Fault::too_many_interim);
}

TEST(FinalHead, OfAnotherProtocolIsNone) {
  EXPECT_EQ(final_status("HTTP/1.1 101 Up\r\n\r\n").error().code, Fault::unexpected_answer);
}

TEST(FinalHead, TellsHowAConnectionEnded) {
  EXPECT_EQ(final_status("").error().code, Fault::closed_before_answer);
  EXPECT_EQ(final_status("HTTP/1.1 200").error().code, Fault::closed_in_answer);
}

}  // namespace
}  // namespace headrace::http::client
