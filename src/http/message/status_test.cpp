#include "http/message/status.hpp"

#include <gtest/gtest.h>

namespace headrace::http {
namespace {

TEST(ReasonPhrase, NamesWhatRfc9110Names) {
  EXPECT_EQ(reason_phrase(100), "Continue");
  EXPECT_EQ(reason_phrase(206), "Partial Content");
  EXPECT_EQ(reason_phrase(413), "Content Too Large");
  EXPECT_EQ(reason_phrase(507), "Insufficient Storage");
  EXPECT_EQ(reason_phrase(511), "Network Authentication Required");
}

TEST(ReasonPhrase, IsEmptyForWhatNobodyNames) {
  for (const int status : {-1, 0, 99, 299, 418, 599, 1000}) {
    EXPECT_EQ(reason_phrase(status), "") << status;
  }
}

}  // namespace
}  // namespace headrace::http
