#include "http/server/logged_path.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace headrace::http::server {
namespace {

constexpr Method fast{.name = "fast", .path_class = PathClass::kernel};
constexpr Method slow{.name = "slow", .path_class = PathClass::user};

Error error_of(std::string_view call, int number) { return fail(call, number).error(); }

TEST(LoggedPath, NamesEachLegInOrderWithItsBytes) {
  Report report;
  report.legs = {{.method = &fast, .bytes = 65536, .waits = 2},
                 {.method = &slow, .bytes = 10, .waits = 1}};
  report.evidence = Evidence::times;
  const LoggedPath path = logged_path(report);
  EXPECT_EQ(path.legs, "fast:65536 slow:10");
  EXPECT_EQ(path.waits, 3U);
  EXPECT_EQ(path.path_class, PathClass::user) << "the lowest";
  EXPECT_EQ(path.evidence, Evidence::times);
  EXPECT_EQ(path.trouble, "");
}

TEST(LoggedPath, TellsALegThatTheKernelRefused) {
  Report report;
  report.legs = {{.method = &fast,
                  .bytes = 0,
                  .ending = Ending::refused,
                  .error = error_of("sendfile", EINVAL)},
                 {.method = &slow, .bytes = 10}};
  const LoggedPath path = logged_path(report);
  EXPECT_EQ(path.legs, "fast:0:refused slow:10");
  EXPECT_EQ(path.trouble, "sendfile: Invalid argument");
}

TEST(LoggedPath, TellsAFailureAndAChangedSource) {
  Report report;
  report.legs = {{.method = &fast, .bytes = 5, .ending = Ending::failed}};
  report.error = error_of("shutdown", ENOTCONN);
  report.change = Change{.kind = Change::Kind::shrank, .bytes = 5};
  report.outcome = Outcome::source_changed;
  const LoggedPath path = logged_path(report);
  EXPECT_EQ(path.legs, "fast:5:failed");
  EXPECT_EQ(path.trouble,
            "shutdown: Transport endpoint is not connected, source shrank to 5 bytes, " +
                std::string(name_of(Outcome::source_changed)));
}

TEST(LoggedPath, NamesThePlansReasonsOnlyWhereNothingWasLeft) {
  Report report;
  report.refused = {{.method = &fast, .reason = not_named},
                    {.method = &slow, .reason = by_name_only}};
  EXPECT_EQ(logged_path(report).trouble, "");
  report.outcome = Outcome::refused;
  EXPECT_EQ(logged_path(report).trouble,
            std::string(name_of(Outcome::refused)) + ", fast: not-named, slow: by-name-only");
  EXPECT_EQ(logged_path(report).path_class, std::nullopt);
}

}  // namespace
}  // namespace headrace::http::server
