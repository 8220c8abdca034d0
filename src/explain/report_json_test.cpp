#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "explain/example_report_testing.hpp"
#include "headrace/explain.hpp"

namespace headrace {
namespace {

using Json = nlohmann::ordered_json;

std::string documentation() {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  const std::ifstream file(root / "docs" / "report-json.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What stands between the fences that follow `heading`; empty where there is no such block.
std::string block_after(const std::string& text, std::string_view heading) {
  const std::string_view opening = "```json\n";
  const auto found = text.find(opening, std::min(text.find(heading), text.size()));
  if (found == std::string::npos) return "";
  const auto start = found + opening.size();
  return text.substr(start, text.find("```", start) - start);
}

void collect_keys(const Json& json, std::set<std::string>& keys) {
  for (const auto& [key, value] : json.items()) {
    if (json.is_object()) keys.insert(key);
    if (value.is_structured()) collect_keys(value, keys);
  }
}

TEST(ReportJson, IsTheExampleOfItsDocumentation) {
  const Json json = Json::parse(to_json(example::broken_send()));
  EXPECT_EQ(block_after(documentation(), "# Example of a report"), json.dump(2) + "\n");
}

Report answered_put() {
  Report report = example::broken_send();
  report.command = "put";
  report.head_bytes = 201;
  report.legs.front().excepted = true;
  report.exchange = Exchange{.method = "PUT",
                             .url = "http://h/b",
                             .status = 507,
                             .reason = "Insufficient Storage",
                             .version = "1.1",
                             .attempts = 2,
                             .reused = true,
                             .answer = "full",
                             .validator = "\"v\"",
                             .hops = {"http://h/a"}};
  return report;
}

TEST(ReportJson, HasNoFieldThatIsNotDocumented) {
  std::set<std::string> keys;
  collect_keys(Json::parse(to_json(answered_put())), keys);
  ASSERT_GT(keys.size(), 40U);
  const std::string text = documentation();
  for (const auto& key : keys) {
    EXPECT_NE(text.find("| `" + key + "` |"), std::string::npos) << key;
  }
}

TEST(ReportJson, TellsWhatHttpSaid) {
  const Json json = Json::parse(to_json(answered_put()));
  EXPECT_EQ(json.at("http"), Json::parse(R"({"method":"PUT","url":"http://h/b","status":507,
                            "reason":"Insufficient Storage","version":"1.1","attempts":2,
                            "reused":true,"answer":"full","validator":"\"v\"",
                            "hops":["http://h/a"]})"));
  EXPECT_EQ(json.at("head_bytes"), 201);
  EXPECT_EQ(json.at("legs").at(0).at("excepted"), true);
  EXPECT_EQ(json.at("legs").at(1).at("excepted"), false);
}

TEST(ReportJson, SaysNothingOfHttpWhereThereWasNone) {
  const Json json = Json::parse(to_json(example::broken_send()));
  EXPECT_TRUE(json.at("http").is_null());
  EXPECT_FALSE(json.contains("head_bytes"));
  Report unanswered;
  unanswered.exchange = Exchange{.method = "GET", .url = "http://h/"};
  EXPECT_TRUE(Json::parse(to_json(unanswered)).at("http").at("status").is_null());
}

TEST(ReportJson, IsOneLine) {
  EXPECT_EQ(to_json(example::broken_send()).find('\n'), std::string::npos);
}

TEST(ReportJson, StartsWithTheSchema) {
  EXPECT_TRUE(to_json(Report{}).starts_with(R"({"schema":1,"command":"",)"));
}

TEST(ReportJson, SaysNullForWhatIsNotKnown) {
  const Json json = Json::parse(to_json(Report{}));
  for (const auto* key : {"class", "expected", "acknowledged", "congestion", "error"}) {
    EXPECT_TRUE(json.at(key).is_null()) << key;
  }
  EXPECT_TRUE(json.at("contract").at("evidence").is_null());
  EXPECT_TRUE(json.at("contract").at("exposure").is_null());
  EXPECT_TRUE(json.at("source").at("size").is_null());
  EXPECT_EQ(json.at("legs"), Json::array());
  EXPECT_EQ(json.at("refused"), Json::array());
  EXPECT_EQ(json.at("notes"), Json::array());
  EXPECT_EQ(json.at("wishes").at("methods"), Json::array());
}

TEST(ReportJson, GivesTheClassOfTheWeakestLeg) {
  EXPECT_EQ(Json::parse(to_json(example::whole_copy())).at("class"), "kernel");
  EXPECT_EQ(Json::parse(to_json(example::broken_send())).at("class"), "user");
}

TEST(ReportJson, KeepsWhatTheTextLeavesOut) {
  const Json json = Json::parse(to_json(example::whole_copy()));
  EXPECT_EQ(json.at("refused").at(1).at("reason"), "by-name-only");
}

TEST(ReportJson, CountsBeyond53BitsExactly) {
  const Json json = Json::parse(to_json(Report{.bytes = everything - 1}));
  EXPECT_EQ(json.at("bytes").get<Bytes>(), everything - 1);
}

TEST(ReportJson, SurvivesNamesThatAreNotUtf8) {
  Report report{.command = "copy", .notes = {"\xff\xfe", "\xc3"}};
  report.source.name = "caf\xe9\n\"quoted\"";
  report.congestion.in_force = "\x80";
  report.wishes.methods = {"\xf5"};
  const Json json = Json::parse(to_json(report));
  EXPECT_EQ(json.at("source").at("name"), "caf\xef\xbf\xbd\n\"quoted\"");
}

TEST(ReportJson, SurvivesSecondsThatAreNoNumber) {
  const Report report{.seconds = std::numeric_limits<double>::quiet_NaN()};
  EXPECT_TRUE(Json::parse(to_json(report)).at("seconds").is_null());
}

TEST(ReportJson, GivesNoErrnoForAnotherLibrarysCode) {
  const Report report{.error = Error{std::make_error_code(std::io_errc::stream), "resolve"}};
  const Json error = Json::parse(to_json(report)).at("error");
  EXPECT_EQ(error.at("call"), "resolve");
  EXPECT_TRUE(error.at("errno").is_null());
}

}  // namespace
}  // namespace headrace
