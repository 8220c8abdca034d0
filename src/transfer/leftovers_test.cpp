#include "transfer/leftovers.hpp"

#include <csignal>

#include "sys/storage.hpp"
#include "transfer/commit_testing.hpp"
#include "transfer/hidden_name.hpp"

namespace headrace {
namespace {

using namespace commit_testing;

class Leftovers : public testing::Test {
 protected:
  [[nodiscard]] Destination destination() const {
    auto found = find_destination(folder_ / "f", "f");
    return found ? std::move(*found) : Destination{};
  }
  [[nodiscard]] std::vector<std::string> named() const {
    const Destination at = destination();
    return still_left_behind(at, find_leftovers(at));
  }
  [[nodiscard]] std::string hidden(int number) const {
    return folder_ / first_name("f", 255, number);
  }
  /// Held as a living run holds its own.
  [[nodiscard]] Descriptor locked(int number) const {
    Descriptor file{::open(hidden(number).c_str(), O_RDWR | O_CLOEXEC)};
    EXPECT_TRUE(sys::set_record_lock(file.ref(), F_WRLCK));
    return file;
  }
  Folder folder_;  // NOLINT(*-non-private-member-variables-in-classes): a fixture's
};

TEST_F(Leftovers, AreFoundUnderTheFirstNames) {
  EXPECT_TRUE(named().empty());
  write_file(hidden(0), "half");
  write_file(hidden(first_names - 1), "half");
  EXPECT_EQ(named().size(), 2U);
  EXPECT_TRUE(named()[0].ends_with("/.f.headrace-000001")) << named()[0];
}

TEST_F(Leftovers, AreNoneWhileSomebodyHoldsThem) {
  write_file(hidden(0), "half");
  {
    const Descriptor held = locked(0);
    EXPECT_TRUE(named().empty());
  }
  EXPECT_EQ(named().size(), 1U);
}

TEST_F(Leftovers, AreNoneThatAnotherTookMeanwhile) {
  write_file(hidden(0), "half");
  const Destination at = destination();
  const auto found = find_leftovers(at);
  ASSERT_EQ(found.size(), 1U);
  const Descriptor holder = locked(0);
  EXPECT_TRUE(still_left_behind(at, found).empty());
}

TEST_F(Leftovers, AreNotMadeOfALivingRunsFileByOneThatLooks) {
  const pid_t neighbour = ::fork();
  if (neighbour == 0) {
    const Destination at = destination();
    for (;;) static_cast<void>(still_left_behind(at, find_leftovers(at)));
  }
  ASSERT_GT(neighbour, 0);
  for (int run = 0; run < 300; ++run) {
    const auto living = open_replacement(folder_ / "f", {.source = {}, .named_temporary = true});
    EXPECT_TRUE(living.has_value());
    EXPECT_TRUE(named().empty()) << "run " << run;
  }
  EXPECT_EQ(::kill(neighbour, SIGKILL), 0);
  EXPECT_EQ(::waitpid(neighbour, nullptr, 0), neighbour);
}

TEST_F(Leftovers, AreRegularFilesOnly) {
  ASSERT_EQ(::mkfifo(hidden(0).c_str(), 0600), 0);
  fs::create_symlink("/etc/passwd", hidden(1));
  EXPECT_TRUE(named().empty());
}

TEST_F(Leftovers, AreNotReportedByTheReplacementThatMadeThem) {
  write_file(folder_ / "f", "old");
  auto replacement = open_replacement(folder_ / "f", {.source = {}, .named_temporary = true});
  ASSERT_TRUE(replacement.has_value());
  EXPECT_TRUE(replacement->left_behind().empty());
  auto second = open_replacement(folder_ / "f", {.source = {}, .named_temporary = true});
  ASSERT_TRUE(second.has_value());
  EXPECT_TRUE(second->left_behind().empty());
  EXPECT_EQ(folder_.names().size(), 3U) << "two at once have a name each";
}

}  // namespace
}  // namespace headrace
