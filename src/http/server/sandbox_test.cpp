#include "http/server/sandbox.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <thread>

#include "support/temporary.hpp"
#include "sys/files.hpp"

namespace headrace::http::server {
namespace {

struct Attempts {
  std::string told;
  bool read_inside = false;
  bool read_outside = false;
  bool write_inside = false;
};

bool opens(const std::filesystem::path& path, int flags) {
  return sys::openat(sys::working_directory, path, flags | O_CLOEXEC, 0600).has_value();
}

class Sandbox : public ::testing::Test {
 protected:
  // A confined thread stays so: each attempt has one of its own.
  [[nodiscard]] Attempts attempt(bool writes) const {
    Attempts attempts;
    std::thread([&] {
      const auto root = testing::open_file(inside_.path(), O_PATH | O_DIRECTORY);
      attempts.told = confine(root.ref(), writes);
      attempts.read_inside = opens(inside_ / "f", O_RDONLY);
      attempts.read_outside = opens(outside_ / "f", O_RDONLY);
      attempts.write_inside = opens(inside_ / "new", O_WRONLY | O_CREAT);
    }).join();
    return attempts;
  }
  void SetUp() override {
    [[maybe_unused]] const auto in = inside_.file("f", "x");
    [[maybe_unused]] const auto out = outside_.file("f", "x");
  }

  testing::TemporaryFolder inside_;
  testing::TemporaryFolder outside_;
};

TEST_F(Sandbox, LeavesOnlyReadingBeneathTheRoot) {
  const Attempts attempts = attempt(false);
  if (!attempts.told.empty()) GTEST_SKIP() << attempts.told;
  EXPECT_TRUE(attempts.read_inside);
  EXPECT_FALSE(attempts.read_outside);
  EXPECT_FALSE(attempts.write_inside);
}

TEST_F(Sandbox, LeavesWritingThereToo) {
  const Attempts attempts = attempt(true);
  if (!attempts.told.empty()) GTEST_SKIP() << attempts.told;
  EXPECT_TRUE(attempts.write_inside);
  EXPECT_FALSE(attempts.read_outside);
}

TEST_F(Sandbox, IsTheThreadsAlone) {
  EXPECT_FALSE(attempt(false).write_inside && attempt(false).told.empty());
  EXPECT_TRUE(opens(outside_ / "f", O_RDONLY));
}

}  // namespace
}  // namespace headrace::http::server
