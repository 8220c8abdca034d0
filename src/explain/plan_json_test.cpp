#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "explain/example_report_testing.hpp"
#include "headrace/explain.hpp"

namespace headrace {
namespace {

using Json = nlohmann::ordered_json;

TEST(PlanJson, ListsWhatIsUsableBestFirstAndWhatIsNot) {
  const Plan plan{.usable = {&example::sendfile, &example::read_write},
                  .refused = {{&example::reflink, example::cannot_clone, ""}},
                  .contract = Contract::stable};
  const std::string text = to_json(plan, example::file("big", 7), example::local_tcp());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("command"), "explain");
  EXPECT_EQ(json.at("class"), "kernel");
  EXPECT_EQ(json.at("contract").at("name"), "stable");
  EXPECT_EQ(json.at("usable").dump(), R"([{"method":"sendfile","class":"kernel"},)"
                                      R"({"method":"read_write","class":"user"}])");
  EXPECT_EQ(json.at("refused").dump(),
            R"([{"method":"reflink","reason":"file-system-cannot-clone","detail":null}])");
  EXPECT_EQ(json.at("source").at("size"), 7);
  EXPECT_EQ(json.at("destination").at("peer_local"), true);
}

TEST(PlanJson, HasNoClassWhereThereIsNoWay) {
  const Json json = Json::parse(to_json(Plan{}, {}, {}));
  EXPECT_TRUE(json.at("class").is_null());
  EXPECT_EQ(json.at("usable"), Json::array());
}

TEST(PlanJson, SurvivesNamesThatAreNotUtf8) {
  EXPECT_EQ(Json::parse(to_json(Plan{}, {.name = "\xff"}, {})).at("source").at("name"),
            "\xef\xbf\xbd");
}

}  // namespace
}  // namespace headrace
