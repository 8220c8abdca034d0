#include "sys/limits.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "support/deny.hpp"

namespace headrace::sys {
namespace {

TEST(Limits, SetsWhatItReadsBack) {
  const int status = testing::run_in_child([] {
    auto limit = sys::getrlimit(RLIMIT_NOFILE);
    if (!limit) return 1;
    limit->rlim_cur = 17;
    if (!sys::setrlimit(RLIMIT_NOFILE, *limit)) return 2;
    return sys::getrlimit(RLIMIT_NOFILE)->rlim_cur == 17 ? 0 : 3;
  });
  EXPECT_EQ(status, 0);
}

TEST(Limits, NamesTheCallThatFailed) {
  EXPECT_EQ(sys::getrlimit(-1).error().call, "getrlimit");
  EXPECT_EQ(sys::setrlimit(-1, {}).error().call, "setrlimit");
  EXPECT_EQ(sys::setrlimit(-1, {}).error().code.value(), EINVAL);
}

}  // namespace
}  // namespace headrace::sys
