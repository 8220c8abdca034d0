#include <gtest/gtest.h>

#include <algorithm>

#include "http/message/head.hpp"

namespace headrace::http {
namespace {

using namespace std::string_literals;

std::string request_with(const std::string& lines) {
  return "GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n";
}
std::string response_with(const std::string& lines) {
  return "HTTP/1.1 200 OK\r\n" + lines + "\r\n";
}

template <class Head>
std::string outcome(const Result<Head>& head) {
  return head ? "taken" : head.error().code.message();
}

std::string text_of(HeadFault fault) { return make_error_code(fault).message(); }

struct Hostile {
  std::string name;
  std::string bytes;
  HeadFault fault;
};

TEST(ParseRequest, ReadsMethodTargetVersionAndFieldsInOrder) {
  const auto head = parse_request(
      "PUT /a%20b?c=d HTTP/1.1\r\nHost: x:80\r\nX-Empty:\r\nContent-Length:3\r\n"
      "Via: \t one , two \t \r\nvia: \xC3\xA4\r\n\r\n");
  ASSERT_TRUE(head) << head.error().code.message();
  EXPECT_EQ(*head, (RequestHead{.method = "PUT",
                                .target = "/a%20b?c=d",
                                .minor_version = 1,
                                .fields = {{"Host", "x:80"},
                                           {"X-Empty", ""},
                                           {"Content-Length", "3"},
                                           {"Via", "one , two"},
                                           {"via", "\xC3\xA4"}}}));
}

TEST(ParseRequest, TakesWhatIsUnusualAndAllowed) {
  EXPECT_EQ(parse_request("GET / HTTP/1.0\r\n\r\n")->minor_version, 0);
  EXPECT_EQ(parse_request("OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n")->target, "*");
  EXPECT_EQ(parse_request("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")->target, "a:443");
  EXPECT_EQ(parse_request("get / HTTP/1.1\r\nHost: a\r\n\r\n")->method, "get");
  EXPECT_EQ(parse_request("M-SEARCH http://a/ HTTP/1.1\r\nHost: a\r\n\r\n")->target, "http://a/");
  EXPECT_EQ(parse_request("\r\n\r\nGET / HTTP/1.1\r\nhOST: a\r\n\r\n")->method, "GET");
  EXPECT_EQ(parse_request("GET /\xC3\xA4 HTTP/1.1\r\nHost: a\r\n\r\n")->target, "/\xC3\xA4");
}

TEST(ParseRequest, TreatsALaterMinorVersionAsTheLatestItKnows) {
  const auto head = parse_request("GET / HTTP/1.7\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->minor_version, 1);
  EXPECT_EQ(head->target, "/");
  EXPECT_EQ(head->fields, (Fields{{"Host", "a"}}));
}

TEST(ParseRequest, RefusesHostileHeads) {
  const std::vector<Hostile> table{
      {"nothing", "", HeadFault::incomplete},
      {"no empty line", "GET / HTTP/1.1\r\nHost: a\r\n", HeadFault::incomplete},
      {"more than the head", request_with("") + "x", HeadFault::malformed},
      {"two heads", request_with("") + request_with(""), HeadFault::malformed},
      {"three empty lines", "\r\n\r\n\r\n", HeadFault::bad_request_line},
      {"bare LF everywhere", "GET / HTTP/1.1\nHost: a\n\n", HeadFault::bad_line_ending},
      {"bare LF before", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_line_ending},
      {"bare LF in a value", request_with("X: a\nY: b\r\n"), HeadFault::bad_line_ending},
      {"bare CR in a value", request_with("X: a\rY: b\r\n"), HeadFault::bad_line_ending},
      {"CR CR LF", request_with("X: a\r\r\n"), HeadFault::bad_line_ending},
      {"NUL in the target", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"s, HeadFault::control_byte},
      {"NUL ends it", "GET /\0"s, HeadFault::control_byte},
      {"CR ends it", "GET /\rx", HeadFault::bad_line_ending},
      {"TLS", "\x16", HeadFault::control_byte},
      {"no line", "\r\n\r\n\r\n", HeadFault::bad_request_line},
      {"one word", "GET\r\n\r\n", HeadFault::bad_request_line},
      {"blank first", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_method},
      {"no method", " / HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_method},
      {"odd method", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_method},
      {"tab in the method", "GE\tT / HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_method},
      {"tab for a blank", "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_request_line},
      {"a colon in the method", "GET: / HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_method},
      {"an answer", "HTTP/1.1 200 OK\r\n\r\n", HeadFault::bad_method},
      {"no target", "GET  HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_target},
      {"blank in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_target},
      {"tab in the target", "GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_target},
      {"two blanks", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_target},
      {"HTTP/0.9", "GET /\r\n\r\n", HeadFault::bad_version},
      {"blank behind", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", HeadFault::bad_target},
      {"lower case", "GET / http/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_version},
      {"long version", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", HeadFault::bad_version},
      {"short version", "GET / HTTP/1\r\nHost: a\r\n\r\n", HeadFault::bad_version},
      {"comma", "GET / HTTP/1,1\r\nHost: a\r\n\r\n", HeadFault::bad_version},
      {"letter", "GET / HTTP/1.x\r\nHost: a\r\n\r\n", HeadFault::bad_version},
      {"plus", "GET / HTTP/+1.1\r\nHost: a\r\n\r\n", HeadFault::bad_version},
      {"HTTP/2", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", HeadFault::version_not_supported},
      {"preface", "PRI * HTTP/2.0\r\n\r\n", HeadFault::version_not_supported},
      {"HTTP/0.9 written", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", HeadFault::version_not_supported},
      {"no host", "GET / HTTP/1.1\r\nX: a\r\n\r\n", HeadFault::no_host},
      {"no host in HTTP/1.9", "GET / HTTP/1.9\r\nX: a\r\n\r\n", HeadFault::no_host},
      {"two hosts", request_with("host: b\r\n"), HeadFault::several_hosts},
      {"one host twice", request_with("Host: a\r\n"), HeadFault::several_hosts},
      {"two hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
       HeadFault::several_hosts},
      {"fold", request_with("X: a\r\n b\r\n"), HeadFault::folded_field},
      {"fold by tab", request_with("X: a\r\n\tb\r\n"), HeadFault::folded_field},
      {"fold of nothing", request_with("X: a\r\n \r\n"), HeadFault::folded_field},
      {"fold of the length", request_with("Content-Length:\r\n 5\r\n"), HeadFault::folded_field},
      {"blank before all fields", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", HeadFault::folded_field},
      {"blank before colon", request_with("X : a\r\n"), HeadFault::space_before_colon},
      {"tab before colon", request_with("Transfer-Encoding\t: chunked\r\n"),
       HeadFault::space_before_colon},
      {"blank in a name", request_with("X Y: a\r\n"), HeadFault::bad_field_name},
      {"no name", request_with(": a\r\n"), HeadFault::bad_field_name},
      {"no colon", request_with("X\r\n"), HeadFault::bad_field_name},
      {"odd name", request_with("X(: a\r\n"), HeadFault::bad_field_name},
      {"high byte in a name", request_with("\xC3\xA4: a\r\n"), HeadFault::bad_field_name},
  };
  for (const Hostile& row : table) {
    EXPECT_EQ(outcome(parse_request(row.bytes)), text_of(row.fault)) << row.name;
  }
}

// The same bytes as a server sees them: cut where head_end() says.
TEST(ParseRequest, RefusesEveryControlByteWhereverItStands) {
  const std::string good = "GET /path HTTP/1.1\r\nHost: a\r\nName: value\r\n\r\n";
  for (int value = 0; value < 256; ++value) {
    const char c = static_cast<char>(value);
    const bool control = (value < 0x20 && c != '\t') || value == 0x7F;
    for (std::size_t place = 0; control && place <= good.size() - 4; ++place) {
      std::string bytes = good;
      bytes.insert(place, 1, c);
      // A CR before CR LF, a LF behind it, or CR and LF in place of each other: always seen.
      const auto end = head_end(bytes);
      ASSERT_TRUE(end) << value << " at " << place;
      EXPECT_FALSE(parse_request(std::string_view(bytes).substr(0, *end)))
          << value << " at " << place;
    }
  }
}

TEST(ParseRequest, RefusesWhatTwoReadersCouldFrameDifferently) {
  const std::vector<Hostile> table{
      {"CL.TE", request_with("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
       HeadFault::length_and_coding},
      {"TE.CL", request_with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
       HeadFault::length_and_coding},
      {"any coding and a length", request_with("transfer-encoding: x\r\ncontent-length: 0\r\n"),
       HeadFault::length_and_coding},
      {"two lengths", request_with("Content-Length: 5\r\nContent-Length: 6\r\n"),
       HeadFault::several_lengths},
      {"one length twice", request_with("Content-Length: 5\r\nContent-Length: 5\r\n"),
       HeadFault::several_lengths},
      {"two lengths in a line", request_with("Content-Length: 5, 6\r\n"),
       HeadFault::several_lengths},
      {"sign", request_with("Content-Length: +5\r\n"), HeadFault::bad_length},
      {"negative", request_with("Content-Length: -5\r\n"), HeadFault::bad_length},
      {"hexadecimal", request_with("Content-Length: 0x5\r\n"), HeadFault::bad_length},
      {"blank inside", request_with("Content-Length: 5 6\r\n"), HeadFault::bad_length},
      {"none", request_with("Content-Length:\r\n"), HeadFault::bad_length},
      {"too large", request_with("Content-Length: 18446744073709551616\r\n"),
       HeadFault::bad_length},
      {"fraction", request_with("Content-Length: 5.0\r\n"), HeadFault::bad_length},
      {"chunked twice",
       request_with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
       HeadFault::coding_not_final},
  };
  for (const Hostile& row : table) {
    EXPECT_EQ(outcome(parse_request(row.bytes)), text_of(row.fault)) << row.name;
  }
}

TEST(ParseRequest, HoldsItsLimits) {
  const std::string head = request_with("X: y\r\n");
  EXPECT_TRUE(parse_request(head, {.most = head.size(), .most_fields = 2}));
  EXPECT_EQ(outcome(parse_request(head, {.most = head.size() - 1})),
            text_of(HeadFault::head_too_long));
  EXPECT_EQ(outcome(parse_request(head, {.most = 10})), text_of(HeadFault::target_too_long));
  EXPECT_EQ(outcome(parse_request(head, {.most_fields = 1})), text_of(HeadFault::too_many_fields));
}

TEST(ParseRequest, TakesAHeadAsLongAsTheLimitAllows) {
  const std::string line = "X: " + std::string(250, 'x') + "\r\n";
  std::string lines;
  for (int i = 0; i < 250; ++i) lines += line;
  const auto head = parse_request(request_with(lines));
  ASSERT_TRUE(head);
  EXPECT_EQ(head->fields.size(), 251);
  const std::string target(65000, 'a');
  EXPECT_EQ(parse_request("GET /" + target + " HTTP/1.1\r\nHost: a\r\n\r\n")->target, "/" + target);
}

TEST(ParseRequest, ReadsBackWhatIsPrinted) {
  const RequestHead head{.method = "PUT",
                         .target = "/a?b",
                         .minor_version = 1,
                         .fields = {{"Host", "x"}, {"Content-Length", "3"}, {"Empty", ""}}};
  EXPECT_EQ(*parse_request(*print(head)), head);
}

TEST(ParseResponse, ReadsStatusReasonVersionAndFields) {
  const auto head =
      parse_response("HTTP/1.0 404 Not  Found\r\nServer: a b\r\nContent-Length: 0\r\n\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(*head, (ResponseHead{.status = 404,
                                 .reason = "Not  Found",
                                 .minor_version = 0,
                                 .fields = {{"Server", "a b"}, {"Content-Length", "0"}}}));
  EXPECT_EQ(*parse_response(*print(*head)), *head);
}

TEST(ParseResponse, TakesAStatusWithoutReason) {
  EXPECT_EQ(parse_response("HTTP/1.1 200 \r\n\r\n")->reason, "");
  EXPECT_EQ(parse_response("HTTP/1.1 204\r\nA: b\r\n\r\n"),
            (ResponseHead{.status = 204, .fields = {{"A", "b"}}}));
}

TEST(ParseResponse, TreatsALaterMinorVersionAsTheLatestItKnows) {
  EXPECT_EQ(parse_response("HTTP/1.5 200 OK\r\n\r\n"),
            (ResponseHead{.status = 200, .reason = "OK"}));
}

TEST(ParseResponse, JoinsEachFoldByOneBlank) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"X: a\r\n b\r\n", "a b"},
      {"X: a\r\n\t \tb\r\n", "a b"},
      {"X: a \t\r\n b\r\n", "a b"},
      {"X: a\r\n b\r\n\tc\r\n", "a b c"},
      {"X:\r\n a\r\n", "a"},
      {"X: a\r\n \r\n", "a"},
      {"X: a\r\n \r\n b\r\n", "a b"},
      {"X:\r\n \r\n", ""},
      {"X: a\r\n Y: b\r\n", "a Y: b"},
      {"X: " + std::string(5000, 'x') + "\r\n y\r\n", std::string(5000, 'x') + " y"},
  };
  for (const auto& [lines, value] : table) {
    const auto head = parse_response(response_with("Before: 1\r\n" + lines + "After: 2\r\n"));
    ASSERT_TRUE(head) << lines;
    EXPECT_EQ(head->fields, (Fields{{"Before", "1"}, {"X", value}, {"After", "2"}})) << lines;
  }
}

TEST(ParseResponse, ReadsALengthThatIsFoldedAsOneValue) {
  EXPECT_EQ(parse_response(response_with("Content-Length:\r\n 5\r\n"))->fields,
            (Fields{{"Content-Length", "5"}}));
  EXPECT_EQ(outcome(parse_response(response_with("Content-Length: 5\r\n 6\r\n"))),
            text_of(HeadFault::bad_length));
}

TEST(ParseResponse, RefusesHostileHeads) {
  const std::vector<Hostile> table{
      {"nothing", "", HeadFault::incomplete},
      {"empty line first", "\r\nHTTP/1.1 200 OK\r\n\r\n", HeadFault::bad_version},
      {"a request", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", HeadFault::bad_version},
      {"not HTTP", "220 mail.example ESMTP\r\n\r\n", HeadFault::bad_version},
      {"ICY", "ICY 200 OK\r\n\r\n", HeadFault::bad_version},
      {"HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", HeadFault::version_not_supported},
      {"no status", "HTTP/1.1\r\n\r\n", HeadFault::bad_status_line},
      {"blank alone", "HTTP/1.1 \r\n\r\n", HeadFault::bad_status_line},
      {"two digits", "HTTP/1.1 20 OK\r\n\r\n", HeadFault::bad_status_line},
      {"four digits", "HTTP/1.1 2000 OK\r\n\r\n", HeadFault::bad_status_line},
      {"status below 100", "HTTP/1.1 099 OK\r\n\r\n", HeadFault::bad_status_line},
      {"letters", "HTTP/1.1 2OO OK\r\n\r\n", HeadFault::bad_status_line},
      {"sign", "HTTP/1.1 +20 OK\r\n\r\n", HeadFault::bad_status_line},
      {"two blanks", "HTTP/1.1  200 OK\r\n\r\n", HeadFault::bad_status_line},
      {"tab", "HTTP/1.1\t200 OK\r\n\r\n", HeadFault::bad_status_line},
      {"no blank", "HTTP/1.1 200OK\r\n\r\n", HeadFault::bad_status_line},
      {"bare LF", "HTTP/1.1 200 OK\n", HeadFault::bad_line_ending},
      {"NUL in a value", "HTTP/1.1 200 OK\r\nA: \0"s, HeadFault::control_byte},
      {"fold before all fields", "HTTP/1.1 200 OK\r\n A: b\r\n\r\n", HeadFault::folded_field},
      {"blank before colon", response_with("X : a\r\n"), HeadFault::space_before_colon},
      {"blank before colon of a coding", response_with("Transfer-Encoding : chunked\r\n"),
       HeadFault::space_before_colon},
      {"fold before colon", response_with("X\r\n : a\r\n"), HeadFault::bad_field_name},
      {"no colon", response_with("X\r\n"), HeadFault::bad_field_name},
      {"no name", response_with(": a\r\n"), HeadFault::bad_field_name},
      {"length and coding", response_with("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
       HeadFault::length_and_coding},
      {"coding and length", response_with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
       HeadFault::length_and_coding},
      {"two lengths", response_with("Content-Length: 5\r\nContent-Length: 6\r\n"),
       HeadFault::several_lengths},
      {"lengths in a line", response_with("Content-Length: 5, 6\r\n"), HeadFault::several_lengths},
  };
  for (const Hostile& row : table) {
    EXPECT_EQ(outcome(parse_response(row.bytes)), text_of(row.fault)) << row.name;
  }
}

TEST(ParseResponse, HoldsItsLimits) {
  const std::string head = response_with("X: y\r\nZ: a\r\n");
  EXPECT_TRUE(parse_response(head, {.most = head.size(), .most_fields = 2}));
  EXPECT_EQ(outcome(parse_response(head, {.most = head.size() - 1})),
            text_of(HeadFault::head_too_long));
  EXPECT_EQ(outcome(parse_response(head, {.most_fields = 1})), text_of(HeadFault::too_many_fields));
}

}  // namespace
}  // namespace headrace::http
