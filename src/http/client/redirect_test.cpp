#include "http/client/redirect.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "http/client/fault.hpp"

namespace headrace::http::client {
namespace {

using Kind = Redirect::Kind;

Url url(std::string_view text) { return parse_url(text).value(); }

Result<Redirect> redirected(int status, std::string_view method, std::string_view location,
                            std::string_view from = "http://h/a/b?c") {
  ResponseHead answer{.status = status, .fields = {}};
  if (!location.empty()) answer.fields.push_back({"location", std::string(location)});
  return redirect_of(url(from), answer, method);
}

TEST(Redirect, FollowsByWhatTheStatusSays) {
  struct Row {
    int status;
    Kind of_put;
    Kind of_get;
  };
  constexpr std::array rows{Row{200, Kind::none, Kind::none},   Row{201, Kind::none, Kind::none},
                            Row{300, Kind::none, Kind::none},   Row{301, Kind::again, Kind::again},
                            Row{302, Kind::again, Kind::again}, Row{303, Kind::by_get, Kind::again},
                            Row{304, Kind::none, Kind::none},   Row{305, Kind::none, Kind::none},
                            Row{306, Kind::none, Kind::none},   Row{307, Kind::again, Kind::again},
                            Row{308, Kind::again, Kind::again}, Row{404, Kind::none, Kind::none}};
  for (const Row& row : rows) {
    EXPECT_EQ(redirected(row.status, "PUT", "/x")->kind, row.of_put) << row.status;
    EXPECT_EQ(redirected(row.status, "GET", "/x")->kind, row.of_get) << row.status;
  }
}

TEST(Redirect, ReadsTheLocationFromWhereItWasSaid) {
  constexpr std::array<std::array<std::string_view, 2>, 5> rows{{{"/x", "http://h/x"},
                                                                 {"x?y", "http://h/a/x?y"},
                                                                 {"../x", "http://h/x"},
                                                                 {"//i:81/x", "http://i:81/x"},
                                                                 {"https://i/x", "https://i/x"}}};
  for (const auto& [location, target] : rows) {
    EXPECT_EQ(to_string(redirected(307, "PUT", location)->url), target) << location;
  }
}

TEST(Redirect, MustSayWhereTo) {
  EXPECT_EQ(redirected(301, "PUT", "").error().code, Fault::location_missing);
  EXPECT_EQ(redirected(301, "GET", "ftp://h/").error().code, Fault::location_malformed);
  EXPECT_EQ(redirected(201, "PUT", "ftp://h/")->kind, Kind::none) << "names what was made";
}

TEST(Redirect, NeverLeavesHttps) {
  EXPECT_EQ(redirected(308, "GET", "http://h/x", "https://h/x").error().code,
            Fault::location_insecure);
  EXPECT_EQ(redirected(308, "GET", "/x", "https://h/y")->url.scheme, "https");
}

}  // namespace
}  // namespace headrace::http::client
