#include <linux/fs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>

#include "transfer/commit_testing.hpp"

// What a replacement meets where permissions, mounts and limits stand in its way.
namespace headrace {
namespace {

using namespace commit_testing;

/// Tests of this file change who or where they are, in a child, and so need root.
class ReplacementAgainst : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!is_root()) GTEST_SKIP() << "needs root";
    ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  }
  [[nodiscard]] Placed<Replacement> open(const std::string& name) const {
    return open_replacement(folder_ / name, {.source = {}, .named_temporary = GetParam()});
  }
  [[nodiscard]] bool refused_for_nobody(const std::string& name, Reason reason,
                                        bool names_in_place) const {
    return in_child([&] {
      if (!become_nobody()) return false;
      const auto replacement = open(name);
      return !replacement && replacement.error().reason == reason &&
             replacement.error().detail.contains("--in-place") == names_in_place;
    });
  }
  Folder folder_;  // NOLINT(*-non-private-member-variables-in-classes): a fixture's
};

INSTANTIATE_TEST_SUITE_P(BothTemporaries, ReplacementAgainst, testing::Bool(),
                         [](const auto& which) { return which.param ? "Named" : "Unnamed"; });

/// For a child: mounts are its own from here on.
bool own_mounts() {
  return ::unshare(CLONE_NEWNS) == 0 &&
         ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

TEST_P(ReplacementAgainst, ADirectoryThatCannotBeWrittenNamesInPlace) {
  write_file(folder_ / "f", "old", 0666);
  EXPECT_TRUE(refused_for_nobody("f", directory_not_writable, true));
  EXPECT_EQ(content_of(folder_ / "f"), "old");
}

TEST_P(ReplacementAgainst, ADirectoryWhereNoNewFileCanBeMadeHasNothingToOffer) {
  EXPECT_TRUE(refused_for_nobody("new", directory_not_writable, false));
  EXPECT_EQ(folder_.names(), Names{});
}

TEST_P(ReplacementAgainst, AWriteProtectedFileIsRefusedThoughARenameWouldDo) {
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
  write_file(folder_ / "f", "old", 0444);
  ASSERT_EQ(::chown((folder_ / "f").c_str(), nobody, nobody), 0);
  EXPECT_TRUE(refused_for_nobody("f", destination_not_writable, false));
  EXPECT_EQ(content_of(folder_ / "f"), "old");
}

TEST_P(ReplacementAgainst, AnothersFileInAStickyDirectoryNamesInPlace) {
  ASSERT_EQ(::chmod(folder_.path().c_str(), 01777), 0);
  write_file(folder_ / "f", "old", 0666);
  EXPECT_TRUE(refused_for_nobody("f", directory_is_sticky, true));
  auto replacement = open("f");  // root may
  ASSERT_TRUE(replacement.has_value());
  EXPECT_TRUE(replacement->commit().has_value());
}

TEST_P(ReplacementAgainst, AReplacedFileThatCannotBeGivenAwayLeavesANote) {
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
  write_file(folder_ / "f", "old", 0666);
  EXPECT_TRUE(in_child([&] {
    if (!become_nobody()) return false;
    auto replacement = open("f");
    if (!replacement || !put(*replacement, "new")) return false;
    const auto committed = replacement->commit();
    return committed && committed->notes.size() == 1;
  }));
  EXPECT_EQ(content_of(folder_ / "f"), "new");
  EXPECT_EQ(status_of(folder_ / "f").st_uid, nobody);
}

TEST_P(ReplacementAgainst, AMountPointNamesInPlace) {
  write_file(folder_ / "f", "old");
  write_file(folder_ / "behind", "behind");
  EXPECT_TRUE(in_child([&] {
    if (!own_mounts() || ::mount((folder_ / "behind").c_str(), (folder_ / "f").c_str(), nullptr,
                                 MS_BIND, nullptr) != 0) {
      return false;
    }
    const auto replacement = open("f");
    return !replacement && replacement.error().reason == destination_is_mount_point &&
           replacement.error().detail.contains("--in-place");
  }));
  EXPECT_EQ(folder_.names(), (Names{"behind", "f"}));
}

TEST_P(ReplacementAgainst, AMountPointThatAppearsBeforeTheCommitIsLeftAlone) {
  write_file(folder_ / "f", "old");
  write_file(folder_ / "behind", "behind");
  EXPECT_TRUE(in_child([&] {
    if (!own_mounts()) return false;
    auto replacement = open("f");
    if (!replacement || ::mount((folder_ / "behind").c_str(), (folder_ / "f").c_str(), nullptr,
                                MS_BIND, nullptr) != 0) {
      return false;
    }
    const auto committed = replacement->commit();
    return !committed && committed.error().reason == destination_is_mount_point &&
           content_of(folder_ / "f") == "behind";
  }));
  EXPECT_EQ(content_of(folder_ / "f"), "old");
  EXPECT_EQ(folder_.names(), (Names{"behind", "f"}));
}

TEST_P(ReplacementAgainst, AReadOnlyFileSystemIsSaidToBeOne) {
  write_file(folder_ / "f", "old");
  EXPECT_TRUE(in_child([&] {
    const std::string path = folder_.path();
    if (!own_mounts() || ::mount(path.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
        ::mount(nullptr, path.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0) {
      return false;
    }
    const auto old = open("f");
    const auto fresh = open("new");
    return !old && old.error().reason == destination_not_writable && !fresh &&
           fresh.error().reason == directory_not_writable;
  }));
}

TEST_P(ReplacementAgainst, AnImmutableFileIsRefused) {
  write_file(folder_ / "f", "old");
  const Descriptor file{::open((folder_ / "f").c_str(), O_RDONLY | O_CLOEXEC)};
  int flags = FS_IMMUTABLE_FL;
  if (::ioctl(file.ref().number(), FS_IOC_SETFLAGS, &flags) != 0) {
    GTEST_SKIP() << "no immutable files here";
  }
  const auto replacement = open("f");
  flags = 0;
  ASSERT_EQ(::ioctl(file.ref().number(), FS_IOC_SETFLAGS, &flags), 0);
  ASSERT_FALSE(replacement.has_value());
  EXPECT_EQ(replacement.error().reason, destination_is_immutable);
}

TEST_P(ReplacementAgainst, AFullDiskKeepsTheOldFileAndLeavesNothing) {
  EXPECT_TRUE(in_child([&] {
    if (!own_mounts() || ::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
      return false;
    }
    write_file(folder_ / "f", "old");
    {
      auto replacement = open("f");
      if (!replacement || put(*replacement, std::string(1 << 20, 'n'))) return false;
    }
    return content_of(folder_ / "f") == "old" && folder_.names() == Names{"f"};
  }));
}

TEST_P(ReplacementAgainst, AFullTableOfInodesIsAClearError) {
  EXPECT_TRUE(in_child([&] {
    // One inode for the root of the mount, one for the file.
    if (!own_mounts() || ::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "nr_inodes=2") != 0) {
      return false;
    }
    write_file(folder_ / "f", "old");
    const auto replacement = open("f");
    return !replacement && replacement.error().reason == destination_failed &&
           replacement.error().error->code.value() == ENOSPC && content_of(folder_ / "f") == "old";
  }));
}

TEST_P(ReplacementAgainst, AFileSizeLimitKeepsTheOldFileAndLeavesNothing) {
  write_file(folder_ / "f", "old");
  EXPECT_TRUE(in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);  // NOLINT(cert-err33-c): ignoring cannot fail
    const rlimit small{.rlim_cur = 4096, .rlim_max = 4096};
    if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return false;
    auto replacement = open("f");
    const bool whole = replacement && put(*replacement, std::string(8192, 'n'));
    return replacement.has_value() && !whole;
  }));
  EXPECT_EQ(content_of(folder_ / "f"), "old");
  EXPECT_TRUE(in_child([&] {
    const auto replacement = open("f");
    return replacement.has_value();
  }));
}

TEST_P(ReplacementAgainst, AMissingProcIsMetByANamedTemporary) {
  write_file(folder_ / "f", "old");
  EXPECT_TRUE(in_child([&] {
    if (!own_mounts() || ::mount("tmpfs", "/proc", "tmpfs", 0, nullptr) != 0) return false;
    auto replacement = open("f");
    return replacement && replacement->has_temporary_name() && put(*replacement, "new") &&
           replacement->commit().has_value();
  }));
  EXPECT_EQ(content_of(folder_ / "f"), "new");
  EXPECT_EQ(folder_.names(), Names{"f"});
}

TEST_P(ReplacementAgainst, AnOverlayIsReplacedInItsUpperLayer) {
  EXPECT_TRUE(in_child([&] {
    if (!own_mounts() || ::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, nullptr) != 0) {
      return false;
    }
    for (const char* name : {"lower", "upper", "work", "merged"}) {
      fs::create_directory(folder_ / name);
    }
    write_file(folder_ / "lower/f", "old");
    const std::string layers = "lowerdir=" + folder_ / "lower" + ",upperdir=" + folder_ / "upper" +
                               ",workdir=" + folder_ / "work";
    if (::mount("overlay", (folder_ / "merged").c_str(), "overlay", 0, layers.c_str()) != 0) {
      return errno == ENODEV;  // no overlay in this kernel
    }
    auto replacement = open("merged/f");
    return replacement && put(*replacement, "new") && replacement->commit().has_value() &&
           content_of(folder_ / "merged/f") == "new" && content_of(folder_ / "lower/f") == "old";
  }));
}

}  // namespace
}  // namespace headrace
