#include "sys/openat2.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "support/temporary.hpp"

namespace headrace::sys {
namespace {

using testing::TemporaryFolder;

Result<Descriptor> beneath(const TemporaryFolder& folder, const std::string& name) {
  const Descriptor root = testing::open_file(folder.path(), O_PATH | O_DIRECTORY);
  return openat2(root.ref(), name,
                 {.flags = O_RDONLY | O_CLOEXEC, .mode = 0, .resolve = RESOLVE_BENEATH});
}

// ENOSYS: a kernel before 5.6, or a container that hides the call.
#define SKIP_WITHOUT_OPENAT2(opened)                        \
  if (!(opened) && (opened).error().code.value() == ENOSYS) \
  GTEST_SKIP() << "this kernel has no openat2"

TEST(Openat2, OpensWhatLiesBeneath) {
  const TemporaryFolder folder;
  static_cast<void>(folder.file("f", "inside"));
  const auto file = beneath(folder, "f");
  SKIP_WITHOUT_OPENAT2(file);
  ASSERT_TRUE(file);
  EXPECT_EQ(testing::read_all(*file), "inside");
}

TEST(Openat2, RefusesWhatLeadsOut) {
  const TemporaryFolder folder;
  ASSERT_EQ(::symlink("/", (folder / "out").c_str()), 0);
  const auto probe = beneath(folder, ".");
  SKIP_WITHOUT_OPENAT2(probe);
  for (const std::string name : {"..", "out/etc", "/etc"}) {
    const auto refused = beneath(folder, name);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code.value(), EXDEV) << name;
    EXPECT_EQ(refused.error().call, "openat2");
  }
}

}  // namespace
}  // namespace headrace::sys
