#include "support/limits.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/deny.hpp"
#include "support/temporary.hpp"

namespace headrace::testing {
namespace {

TEST(LimitOpenFiles, MakesTheNextOpenFail) {
  const int status = run_in_child([] {
    const int next = ::open("/dev/null", O_RDONLY);
    if (::close(next) != 0) return 2;
    limit_open_files(static_cast<std::uint64_t>(next));
    return ::open("/dev/null", O_RDONLY) < 0 && errno == EMFILE ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST(LimitFileSize, MakesAWriteBeyondItFailWithoutASignal) {
  const Descriptor file = file_holding("");
  const int status = run_in_child([&] {
    limit_file_size(3);
    const auto first = ::write(file.ref().number(), "12345", 5);
    const auto second = ::write(file.ref().number(), "45", 2);
    return first == 3 && second < 0 && errno == EFBIG ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST(BecomeNobody, LosesTheRightsOfRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root: nothing to lose";
  const TemporaryFolder folder;
  const auto secret = folder.file("secret", "x");
  ASSERT_EQ(::chmod(secret.c_str(), 0600), 0);
  const int status = run_in_child([&] {
    if (!become_nobody() || ::geteuid() == 0) return 1;
    return ::open(secret.c_str(), O_RDONLY) < 0 && errno == EACCES ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headrace::testing
