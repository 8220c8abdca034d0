#include "transfer/replacement.hpp"

#include <sys/file.h>

#include <climits>

#include "sys/storage.hpp"
#include "transfer/commit_testing.hpp"

namespace headrace {
namespace {

using namespace commit_testing;

/// Everything a replacement promises, with an unnamed and with a named temporary.
class ReplacementOf : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static ReplacementOptions options() {
    return {.source = {}, .named_temporary = GetParam()};
  }
  [[nodiscard]] Placed<Replacement> open(const std::string& name) const {
    return open_replacement(folder_ / name, options());
  }
  /// Opens, writes "new" and commits.
  [[nodiscard]] Placed<Committed> replace(const std::string& name) const {
    auto replacement = open(name);
    if (!replacement) return std::unexpected(replacement.error());
    EXPECT_TRUE(put(*replacement, "new"));
    return replacement->commit();
  }
  Folder folder_;  // NOLINT(*-non-private-member-variables-in-classes): a fixture's
};

INSTANTIATE_TEST_SUITE_P(BothTemporaries, ReplacementOf, testing::Bool(),
                         [](const auto& which) { return which.param ? "Named" : "Unnamed"; });

TEST_P(ReplacementOf, MakesANewFileOnlyAtTheCommit) {
  auto replacement = open("f");
  ASSERT_TRUE(replacement.has_value());
  EXPECT_EQ(replacement->has_temporary_name(), GetParam());
  ASSERT_TRUE(put(*replacement, "new"));
  EXPECT_FALSE(fs::exists(folder_ / "f"));
  const auto committed = replacement->commit();
  ASSERT_TRUE(committed.has_value());
  EXPECT_FALSE(committed->replaced);
  EXPECT_EQ(content_of(folder_ / "f"), "new");
  EXPECT_EQ(folder_.names(), Names{"f"});
}

TEST_P(ReplacementOf, KeepsTheOldFileUntilTheCommit) {
  write_file(folder_ / "f", "old");
  auto replacement = open("f");
  ASSERT_TRUE(replacement.has_value());
  ASSERT_TRUE(put(*replacement, "new"));
  EXPECT_EQ(content_of(folder_ / "f"), "old");
  const auto committed = replacement->commit();
  ASSERT_TRUE(committed.has_value());
  EXPECT_TRUE(committed->replaced);
  EXPECT_EQ(content_of(folder_ / "f"), "new");
  EXPECT_EQ(folder_.names(), Names{"f"});
}

TEST_P(ReplacementOf, LeavesTheNewFileUnlocked) {
  for (const bool replaces : {false, true}) {
    SCOPED_TRACE(replaces ? "replacing" : "making");
    auto replacement = open("f");
    ASSERT_TRUE(replacement.has_value());
    ASSERT_TRUE(replacement->commit().has_value());
    const Descriptor user{::open((folder_ / "f").c_str(), O_RDWR | O_CLOEXEC)};
    EXPECT_EQ(::flock(user.ref().number(), LOCK_EX | LOCK_NB), 0);
    EXPECT_TRUE(sys::set_record_lock(user.ref(), F_WRLCK));
  }
}

TEST_P(ReplacementOf, LeavesNothingBehindWithoutACommit) {
  write_file(folder_ / "f", "old");
  {
    auto replacement = open("f");
    ASSERT_TRUE(replacement.has_value());
    ASSERT_TRUE(put(*replacement, "new"));
  }
  EXPECT_EQ(content_of(folder_ / "f"), "old");
  EXPECT_EQ(folder_.names(), Names{"f"});
  ASSERT_TRUE(open("g").has_value());
  EXPECT_EQ(folder_.names(), Names{"f"});
}

TEST_P(ReplacementOf, LeavesNothingBehindWhenMoved) {
  auto first = open("f");
  auto second = open("g");
  ASSERT_TRUE(first.has_value() && second.has_value());
  ASSERT_TRUE(put(*first, "new"));
  *second = std::move(*first);
  Replacement third = std::move(*second);
  ASSERT_TRUE(third.commit().has_value());
  EXPECT_EQ(folder_.names(), Names{"f"});
  EXPECT_EQ(content_of(folder_ / "f"), "new");
}

TEST_P(ReplacementOf, ReplacesTheTargetOfALinkAndKeepsTheLink) {
  ASSERT_EQ(::mkdir((folder_ / "d").c_str(), 0755), 0);
  write_file(folder_ / "d/target", "old");
  fs::create_symlink("d/target", folder_ / "link");
  fs::create_symlink("d/later", folder_ / "dangling");
  ASSERT_TRUE(replace("link").has_value());
  ASSERT_TRUE(replace("dangling").has_value());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link") && fs::is_symlink(folder_ / "dangling"));
  EXPECT_EQ(content_of(folder_ / "d/target"), "new");
  EXPECT_EQ(content_of(folder_ / "d/later"), "new");
}

TEST_P(ReplacementOf, TakesNamesAsLongAsTheyMayBe) {
  std::string accents;
  while (accents.size() + 2 <= NAME_MAX) accents += "é";
  for (const std::string& name : {std::string(NAME_MAX, 'n'), accents}) {
    write_file(folder_ / name, "old");
    ASSERT_TRUE(replace(name).has_value());
    EXPECT_EQ(content_of(folder_ / name), "new");
  }
  EXPECT_EQ(folder_.names().size(), 2U);
}

TEST_P(ReplacementOf, GivesNewFilesTheModeOfTheUmask) {
  EXPECT_TRUE(in_child([&] {
    ::umask(027);
    return replace("f").has_value();
  }));
  EXPECT_EQ(mode_of(folder_ / "f"), 0640U);
}

TEST_P(ReplacementOf, KeepsTheReplacedFilesModeAndOwner) {
  write_file(folder_ / "f", "old", 0604);
  if (is_root()) {
    ASSERT_EQ(::chown((folder_ / "f").c_str(), 7, 8), 0);
  }
  const struct stat old = status_of(folder_ / "f");
  ASSERT_TRUE(replace("f").has_value());
  const struct stat now = status_of(folder_ / "f");
  EXPECT_NE(now.st_ino, old.st_ino);
  EXPECT_EQ(now.st_mode, old.st_mode);
  EXPECT_EQ(now.st_uid, old.st_uid);
  EXPECT_EQ(now.st_gid, old.st_gid);
}

TEST_P(ReplacementOf, KeepsModeAndTimesOfTheSourceWhenGivenOne) {
  write_file(folder_ / "source", "new", 0751);
  const timespec long_ago[2] = {{.tv_sec = 1, .tv_nsec = 2}, {.tv_sec = 3, .tv_nsec = 4}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder_ / "source").c_str(), long_ago, 0), 0);
  ReplacementOptions kept = options();
  kept.source = status_of(folder_ / "source");
  auto replacement = open_replacement(folder_ / "f", kept);
  ASSERT_TRUE(replacement.has_value());
  ASSERT_TRUE(put(*replacement, "new"));
  ASSERT_TRUE(replacement->commit().has_value());
  const struct stat now = status_of(folder_ / "f");
  EXPECT_EQ(now.st_mode & 07777, 0751U);
  EXPECT_EQ(now.st_atim.tv_nsec, 2);
  EXPECT_EQ(now.st_mtim.tv_sec, 3);
  EXPECT_EQ(now.st_mtim.tv_nsec, 4);
}

TEST_P(ReplacementOf, HidesAPrivateSourcesBytesWhileTheyAreWritten) {
  ReplacementOptions kept = options();
  write_file(folder_ / "source", "secret", 0600);
  kept.source = status_of(folder_ / "source");
  const auto replacement = open_replacement(folder_ / "f", kept);
  ASSERT_TRUE(replacement.has_value());
  struct stat status{};
  ASSERT_EQ(::fstat(replacement->file().number(), &status), 0);
  EXPECT_EQ(status.st_mode & 0077, 0U);
}

TEST_P(ReplacementOf, FollowsADirectoryThatIsRenamedMeanwhile) {
  ASSERT_EQ(::mkdir((folder_ / "before").c_str(), 0755), 0);
  write_file(folder_ / "before/f", "old");
  auto replacement = open("before/f");
  ASSERT_TRUE(replacement.has_value());
  ASSERT_TRUE(put(*replacement, "new"));
  fs::rename(folder_ / "before", folder_ / "after");
  ASSERT_EQ(::mkdir((folder_ / "before").c_str(), 0755), 0);
  ASSERT_TRUE(replacement->commit().has_value());
  EXPECT_EQ(content_of(folder_ / "after/f"), "new");
  EXPECT_TRUE(fs::is_empty(folder_ / "before"));
}

TEST_P(ReplacementOf, FailsWhenItsDirectoryIsRemovedMeanwhile) {
  ASSERT_EQ(::mkdir((folder_ / "d").c_str(), 0755), 0);
  auto replacement = open("d/f");
  ASSERT_TRUE(replacement.has_value());
  fs::remove_all(folder_ / "d");
  const auto committed = replacement->commit();
  ASSERT_FALSE(committed.has_value());
  EXPECT_EQ(committed.error().reason, destination_failed);
  EXPECT_EQ(committed.error().error->code.value(), ENOENT);
}

TEST_P(ReplacementOf, ReplacesARegularFileThatAppearedMeanwhile) {
  auto replacement = open("f");
  ASSERT_TRUE(replacement.has_value());
  ASSERT_TRUE(put(*replacement, "new"));
  write_file(folder_ / "f", "another's");
  const auto committed = replacement->commit();
  ASSERT_TRUE(committed.has_value());
  EXPECT_TRUE(committed->replaced);
  EXPECT_EQ(content_of(folder_ / "f"), "new");
  EXPECT_EQ(folder_.names(), Names{"f"});
}

TEST_P(ReplacementOf, PutsTheFileInPlaceWhenTheOldOneDisappearedMeanwhile) {
  write_file(folder_ / "f", "old");
  auto replacement = open("f");
  ASSERT_TRUE(replacement.has_value());
  ASSERT_TRUE(put(*replacement, "new"));
  fs::remove(folder_ / "f");
  const auto committed = replacement->commit();
  ASSERT_TRUE(committed.has_value());
  EXPECT_FALSE(committed->replaced);
  EXPECT_EQ(folder_.names(), Names{"f"});
}

TEST_P(ReplacementOf, LeavesAloneWhateverElseTookTheNameMeanwhile) {
  const auto refuses_after = [&](auto change) {
    write_file(folder_ / "f", "old");
    auto replacement = open("f");
    ASSERT_TRUE(replacement.has_value());
    fs::remove(folder_ / "f");
    change(folder_ / "f");
    const mode_t type = status_of(folder_ / "f").st_mode & S_IFMT;
    const auto committed = replacement->commit();
    ASSERT_FALSE(committed.has_value());
    EXPECT_EQ(committed.error().reason, destination_changed);
    EXPECT_EQ(status_of(folder_ / "f").st_mode & S_IFMT, type);
    fs::remove(folder_ / "f");
  };
  refuses_after([](const std::string& path) { fs::create_directory(path); });
  refuses_after([](const std::string& path) { fs::create_symlink("elsewhere", path); });
  refuses_after([](const std::string& path) { ::mkfifo(path.c_str(), 0600); });
  EXPECT_EQ(folder_.names(), Names{});
}

TEST_P(ReplacementOf, RefusesAFileThatGotAnotherNameMeanwhile) {
  write_file(folder_ / "f", "old");
  auto replacement = open("f");
  ASSERT_TRUE(replacement.has_value());
  fs::create_hard_link(folder_ / "f", folder_ / "g");
  const auto committed = replacement->commit();
  ASSERT_FALSE(committed.has_value());
  EXPECT_EQ(committed.error().reason, destination_has_other_links);
  EXPECT_EQ(content_of(folder_ / "f"), "old");
}

TEST_P(ReplacementOf, CommitsAgainAfterAnObstacleIsGone) {
  write_file(folder_ / "f", "old");
  auto replacement = open("f");
  ASSERT_TRUE(replacement.has_value());
  ASSERT_TRUE(put(*replacement, "new"));
  fs::create_hard_link(folder_ / "f", folder_ / "g");
  ASSERT_FALSE(replacement->commit().has_value());
  fs::remove(folder_ / "g");
  ASSERT_TRUE(replacement->commit().has_value());
  EXPECT_EQ(content_of(folder_ / "f"), "new");
}

TEST_P(ReplacementOf, LetsOneOfTwoWritersWinWhole) {
  auto first = open("f");
  auto second = open("f");
  ASSERT_TRUE(first.has_value() && second.has_value());
  ASSERT_TRUE(put(*first, "111") && put(*second, "222"));
  ASSERT_TRUE(second->commit().has_value());
  EXPECT_EQ(content_of(folder_ / "f"), "222");
  ASSERT_TRUE(first->commit().has_value());
  EXPECT_EQ(content_of(folder_ / "f"), "111");
  EXPECT_EQ(folder_.names(), Names{"f"});
}

TEST_P(ReplacementOf, RefusesAFileWithOtherHardLinksAndNamesInPlace) {
  write_file(folder_ / "f", "old");
  fs::create_hard_link(folder_ / "f", folder_ / "g");
  const auto replacement = open("f");
  ASSERT_FALSE(replacement.has_value());
  EXPECT_EQ(replacement.error().reason, destination_has_other_links);
  EXPECT_NE(replacement.error().detail.find("--in-place"), std::string::npos);
  EXPECT_EQ(folder_.names(), (Names{"f", "g"}));
}

}  // namespace
}  // namespace headrace
