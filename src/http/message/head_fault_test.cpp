#include "http/message/head_fault.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace headrace::http {
namespace {

TEST(HeadFault, HasATextOfItsOwnAndAStatusThatAnswersIt) {
  std::set<std::string> texts;
  const int last = static_cast<int>(HeadFault::malformed);
  for (int value = 1; value <= last; ++value) {
    const std::error_code code = static_cast<HeadFault>(value);
    EXPECT_NE(code.message(), "unknown fault") << value;
    EXPECT_TRUE(texts.insert(code.message()).second) << code.message();
    EXPECT_TRUE((std::set{400, 414, 431, 501, 505}.contains(answering_status(code)))) << value;
  }
  EXPECT_EQ(std::error_code(static_cast<HeadFault>(last + 1)).message(), "unknown fault");
}

TEST(HeadFault, IsAnsweredByTheStatusThatTellsIt) {
  EXPECT_EQ(answering_status(HeadFault::target_too_long), 414);
  EXPECT_EQ(answering_status(HeadFault::head_too_long), 431);
  EXPECT_EQ(answering_status(HeadFault::too_many_fields), 431);
  EXPECT_EQ(answering_status(HeadFault::coding_not_supported), 501);
  EXPECT_EQ(answering_status(HeadFault::version_not_supported), 505);
  EXPECT_EQ(answering_status(HeadFault::length_and_coding), 400);
}

TEST(HeadFault, IsNotTakenForAnErrorOfAnotherKind) {
  const std::error_code other{static_cast<int>(HeadFault::head_too_long), std::system_category()};
  EXPECT_EQ(answering_status(other), 400);
}

}  // namespace
}  // namespace headrace::http
