#include "http/server/log_line.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace headrace::http::server {
namespace {

using Json = nlohmann::json;

// 30 November 2026, 23:05:07.042 UTC.
constexpr std::chrono::system_clock::time_point moment{std::chrono::milliseconds{1796079907042}};

AccessRecord example() {
  return {.time = moment,
          .peer = "127.0.0.1:4711",
          .method = "GET",
          .target = "/a%20b?c",
          .version = "HTTP/1.1",
          .status = 200,
          .bytes = 65536,
          .head_bytes = 180,
          .received = 0,
          .seconds = 0.0125,
          .path = {.path_class = PathClass::kernel, .legs = "sendfile:65536", .waits = 3},
          .refusal = {},
          .referer = "http://r/",
          .user_agent = "curl/8"};
}

TEST(LogLine, CombinedIsTheUsualLineAndThePathBehindIt) {
  EXPECT_EQ(log_line(example(), LogFormat::combined),
            "127.0.0.1:4711 - - [30/Nov/2026:23:05:07 +0000] \"GET /a%20b?c HTTP/1.1\" 200 65536 "
            "\"http://r/\" \"curl/8\" kernel \"sendfile:65536\" waits=3 head=180 received=0 "
            "seconds=0.012500\n");
}

TEST(LogLine, CombinedHasADashForWhatThereIsNot) {
  EXPECT_EQ(log_line({.time = moment, .status = 400, .refusal = "bare-lf"}, LogFormat::combined),
            "- - - [30/Nov/2026:23:05:07 +0000] \"-\" 400 0 \"-\" \"-\" - \"-\" waits=0 head=0 "
            "received=0 seconds=0.000000 refusal=\"bare-lf\"\n");
}

TEST(LogLine, BothTellEvidenceTroubleAndRefusal) {
  AccessRecord record = example();
  record.path.evidence = Evidence::lease;
  record.path.trouble = "sendfile: Broken pipe";
  record.refusal = "bare-lf";
  EXPECT_TRUE(log_line(record, LogFormat::combined)
                  .ends_with(" evidence=\"lease\" refusal=\"bare-lf\" "
                             "trouble=\"sendfile: Broken pipe\"\n"));
  const Json json = Json::parse(log_line(record, LogFormat::json));
  EXPECT_EQ(json["evidence"], "lease");
  EXPECT_EQ(json["trouble"], "sendfile: Broken pipe");
  EXPECT_EQ(json["refusal"], "bare-lf");
}

TEST(LogLine, JsonHasEveryField) {
  const Json json = Json::parse(log_line(example(), LogFormat::json));
  EXPECT_EQ(json, Json::parse(R"({"time": "2026-11-30T23:05:07.042Z", "peer": "127.0.0.1:4711",
      "method": "GET", "target": "/a%20b?c", "version": "HTTP/1.1", "status": 200, "bytes": 65536,
      "head_bytes": 180, "received": 0, "seconds": 0.0125, "class": "kernel",
      "legs": "sendfile:65536", "waits": 3, "evidence": null, "refusal": null, "trouble": null,
      "referer": "http://r/", "user_agent": "curl/8"})"));
}

TEST(LogLine, OneRecordIsOneSafeLineWhateverItsTextsHold) {
  std::string bytes;
  for (int code = 0; code < 256; ++code) bytes += static_cast<char>(code);
  AccessRecord record = example();
  for (std::string_view* text : {&record.peer, &record.method, &record.target, &record.version,
                                 &record.refusal, &record.referer, &record.user_agent}) {
    *text = bytes;
  }
  record.path.legs = record.path.trouble = bytes;
  for (const LogFormat format : {LogFormat::combined, LogFormat::json}) {
    std::string line = log_line(record, format);
    ASSERT_EQ(line.back(), '\n');
    line.pop_back();
    for (const char byte : line) ASSERT_TRUE(byte >= ' ' && byte <= '~') << line;
    if (format == LogFormat::json) {
      EXPECT_TRUE(Json::accept(line));
    }
  }
}

TEST(LogLine, AForgedQuoteDoesNotEndTheRequest) {
  AccessRecord record = example();
  record.target = "/\" 200 1 \"";
  const std::string line = log_line(record, LogFormat::combined);
  EXPECT_NE(line.find(R"("GET /\x22 200 1 \x22 HTTP/1.1" 200 65536)"), line.npos) << line;
}

TEST(LogLine, KnowsLeapDaysAndTheYearsTurn) {
  using namespace std::chrono;
  const auto line_at = [](sys_seconds time) {
    return log_line({.time = time}, LogFormat::combined);
  };
  const sys_seconds leap = sys_days{2028y / February / 29} + 23h + 59min + 59s;
  EXPECT_NE(line_at(leap).find("[29/Feb/2028:23:59:59 +0000]"), std::string::npos);
  EXPECT_NE(line_at(leap + 1s).find("[01/Mar/2028:00:00:00 +0000]"), std::string::npos);
}

TEST(LogLine, LostLinesAreCountedInTheSameFormat) {
  EXPECT_EQ(lost_line(1, LogFormat::combined), "1 line lost\n");
  EXPECT_EQ(lost_line(12, LogFormat::combined), "12 lines lost\n");
  EXPECT_EQ(lost_line(12, LogFormat::json), "{\"lost\":12}\n");
}

}  // namespace
}  // namespace headrace::http::server
