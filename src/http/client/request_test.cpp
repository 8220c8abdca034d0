#include "http/client/request.hpp"

#include <gtest/gtest.h>

namespace headrace::http::client {
namespace {

RequestHead head_for(std::string_view url, const Fields& fields = {}) {
  const Settings settings{.user_agent = "headrace/1"};
  return request_for("PUT", parse_url(url).value(), parse_url("http://h:81/first").value(), fields,
                     settings);
}

TEST(Request, NamesHostTargetAndWhoAsks) {
  const RequestHead head = head_for("http://[::1]:8080/a%20b?c");
  EXPECT_EQ(head.method, "PUT");
  EXPECT_EQ(head.target, "/a%20b?c");
  EXPECT_EQ(head.fields, (Fields{{"Host", "[::1]:8080"}, {"User-Agent", "headrace/1"}}));
}

TEST(Request, HasTheFieldsOfItsCaller) {
  const RequestHead head = head_for("http://h:81/x", {{"user-agent", "me"}, {"Cookie", "c"}});
  EXPECT_EQ(head.fields, (Fields{{"Host", "h:81"}, {"user-agent", "me"}, {"Cookie", "c"}}));
}

TEST(Request, TellsNoSecretToAnotherOrigin) {
  const Fields fields{
      {"authorization", "a"}, {"Cookie", "c"}, {"Proxy-Authorization", "p"}, {"X", "1"}};
  for (const std::string_view url : {"http://h:82/", "http://i:81/", "https://h:81/"}) {
    const RequestHead head = head_for(url, fields);
    EXPECT_FALSE(find(head.fields, "Authorization")) << url;
    EXPECT_FALSE(find(head.fields, "Cookie")) << url;
    EXPECT_FALSE(find(head.fields, "Proxy-Authorization")) << url;
    EXPECT_TRUE(find(head.fields, "X")) << url;
  }
}

}  // namespace
}  // namespace headrace::http::client
