#include "sys/landlock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "support/deny.hpp"
#include "support/temporary.hpp"
#include "sys/files.hpp"

namespace headrace::sys {
namespace {

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE;

bool offered() { return landlock_abi().has_value(); }

/// In the calling process: only `folder` can be read from now on.
bool confine_to(const testing::TemporaryFolder& folder) {
  const auto ruleset = landlock_create_ruleset(reading);
  const auto parent = sys::openat(working_directory, folder.path(), O_PATH | O_CLOEXEC);
  return ruleset && parent && landlock_add_rule(ruleset->ref(), parent->ref(), reading) &&
         no_new_privileges() && landlock_restrict_self(ruleset->ref());
}

TEST(Landlock, ConfinesAProcessToWhatItsRulesGrant) {
  if (!offered()) GTEST_SKIP() << "no landlock here: " << landlock_abi().error().code.message();
  EXPECT_GE(*landlock_abi(), 1);
  const testing::TemporaryFolder granted;
  const testing::TemporaryFolder other;
  const auto inside = granted.file("f", "x");
  const auto outside = other.file("f", "x");
  const int status = testing::run_in_child([&] {
    if (!confine_to(granted)) return 1;
    if (!sys::openat(working_directory, inside, O_RDONLY | O_CLOEXEC)) return 2;
    const auto refused = sys::openat(working_directory, outside, O_RDONLY | O_CLOEXEC);
    return !refused && refused.error().code.value() == EACCES ? 0 : 3;
  });
  EXPECT_EQ(status, 0);
}

TEST(Landlock, NamesTheCallThatFailed) {
  const DescriptorRef none;
  EXPECT_EQ(landlock_create_ruleset(0).error().call, "landlock_create_ruleset");
  EXPECT_EQ(landlock_add_rule(none, none, reading).error().call, "landlock_add_rule");
  EXPECT_EQ(landlock_restrict_self(none).error().call, "landlock_restrict_self");
}

}  // namespace
}  // namespace headrace::sys
