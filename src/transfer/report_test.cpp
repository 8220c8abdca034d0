#include "headrace/report.hpp"

#include <gtest/gtest.h>

namespace headrace {
namespace {

const Method by_user{.name = "by_user", .path_class = PathClass::user};
const Method by_kernel{.name = "by_kernel", .path_class = PathClass::kernel};
const Method by_sharing{.name = "by_sharing", .path_class = PathClass::shared};

Report report_of(std::vector<Leg> legs) {
  Report report;
  report.legs = std::move(legs);
  return report;
}

TEST(ClassOf, IsAbsentWhereNothingMoved) {
  EXPECT_FALSE(class_of(Report{}));
  EXPECT_FALSE(class_of(report_of({{.method = &by_kernel, .bytes = 0}})));
}

TEST(ClassOf, IsTheLowestOfTheLegsThatMovedBytes) {
  const Leg shared{.method = &by_sharing, .bytes = 1};
  const Leg kernel{.method = &by_kernel, .bytes = 1};
  const Leg user{.method = &by_user, .bytes = 1};
  EXPECT_EQ(class_of(report_of({shared})), PathClass::shared);
  EXPECT_EQ(class_of(report_of({shared, kernel})), PathClass::kernel);
  EXPECT_EQ(class_of(report_of({user, kernel, shared})), PathClass::user);
}

TEST(ClassOf, PassesOverALegThatMovedNothing) {
  EXPECT_EQ(class_of(report_of({{.method = &by_user, .bytes = 0, .ending = Ending::refused},
                                {.method = &by_kernel, .bytes = 9}})),
            PathClass::kernel);
}

TEST(ClassOf, LeavesOutLegsThatAreExcepted) {
  const Leg head{.method = &by_user, .bytes = 90, .excepted = true};
  EXPECT_FALSE(class_of(report_of({head})));
  EXPECT_EQ(class_of(report_of({head, {.method = &by_kernel, .bytes = 9}, head})),
            PathClass::kernel);
}

TEST(OutcomeNames, AreStableAndDistinct) {
  EXPECT_EQ(name_of(Outcome::complete), "complete");
  EXPECT_EQ(name_of(Outcome::failed), "failed");
  EXPECT_EQ(name_of(Outcome::refused), "refused");
  EXPECT_EQ(name_of(Outcome::source_changed), "source-changed");
  EXPECT_EQ(name_of(Outcome::interrupted), "interrupted");
  EXPECT_EQ(name_of(Outcome::mismatched), "mismatched");
  EXPECT_EQ(name_of(Outcome::answered_early), "answered-early");
}

}  // namespace
}  // namespace headrace
