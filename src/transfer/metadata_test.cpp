#include "transfer/metadata.hpp"

#include "transfer/commit_testing.hpp"

namespace headrace {
namespace {

using namespace commit_testing;

/// A file of the test's own and what it looks like after `keep_metadata`.
class KeepMetadata : public testing::Test {
 protected:
  struct stat kept(const Originals& originals, std::vector<std::string>* notes = nullptr) {
    const std::string path = folder_ / "f";
    const Descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    auto told = keep_metadata(file.ref(), originals);
    EXPECT_TRUE(told.has_value());
    if (notes != nullptr && told) *notes = std::move(*told);
    return status_of(path);
  }
  static struct stat original(mode_t mode, uid_t user = ::geteuid(), gid_t group = ::getegid()) {
    struct stat status{};
    status.st_mode = S_IFREG | mode;
    status.st_uid = user;
    status.st_gid = group;
    status.st_atim = {.tv_sec = 1'000'000'007, .tv_nsec = 123'456'789};
    status.st_mtim = {.tv_sec = 999'999'999, .tv_nsec = 987'654'321};
    return status;
  }

 private:
  Folder folder_;
};

TEST_F(KeepMetadata, TakesModeAndTimesOfTheSourceToTheNanosecond) {
  const struct stat source = original(0751);
  const struct stat file = kept({.source = source, .replaced = {}});
  EXPECT_EQ(file.st_mode & 07777, 0751U);
  EXPECT_EQ(file.st_atim.tv_sec, source.st_atim.tv_sec);
  EXPECT_EQ(file.st_atim.tv_nsec, source.st_atim.tv_nsec);
  EXPECT_EQ(file.st_mtim.tv_sec, source.st_mtim.tv_sec);
  EXPECT_EQ(file.st_mtim.tv_nsec, source.st_mtim.tv_nsec);
}

TEST_F(KeepMetadata, KeepsSetIdBitsOfASourceWithTheSameOwner) {
  EXPECT_EQ(kept({.source = original(06755), .replaced = {}}).st_mode & 07777, 06755U);
}

TEST_F(KeepMetadata, DropsSetIdBitsOfAnotherOwnersSource) {
  const uid_t another = ::geteuid() + 1;
  std::vector<std::string> notes;
  EXPECT_EQ(kept({.source = original(06755, another), .replaced = {}}, &notes).st_mode & 07777,
            0755U);
  EXPECT_EQ(notes, std::vector<std::string>{"set-user-ID and set-group-ID not kept: the file has "
                                            "another owner or group"});
}

TEST_F(KeepMetadata, FailsWhereAModeThatIsNamedLosesItsSetIdBits) {
  const uid_t another = ::geteuid() + 1;
  const Folder folder;
  const std::string path = folder / "f";
  const Descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
  Preserve preserve = preserve_nothing;
  preserve.mode = Keep::required;
  const auto failed =
      keep_metadata(file.ref(), {.source = original(04755, another), .preserve = preserve});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().reason, metadata_not_kept);
  EXPECT_TRUE(failed.error().detail.starts_with("set-user-ID not kept")) << failed.error().detail;
  EXPECT_TRUE(keep_metadata(file.ref(), {.source = original(0755, another), .preserve = preserve}));
}

TEST_F(KeepMetadata, DropsOnlySetGroupIdWhereTheGroupDiffers) {
  const gid_t another = ::getegid() + 1;
  EXPECT_EQ(kept({.source = original(06755, ::geteuid(), another), .replaced = {}}).st_mode & 07777,
            04755U);
}

TEST_F(KeepMetadata, TakesTheReplacedFilesModeWithoutItsPrivileges) {
  EXPECT_EQ(kept({.source = {}, .replaced = original(06640)}).st_mode & 07777, 0640U);
}

TEST_F(KeepMetadata, GivesTheFileToTheOwnerOfTheReplacedOne) {
  if (!is_root()) GTEST_SKIP() << "needs root to give a file away";
  std::vector<std::string> notes;
  const struct stat file =
      kept({.source = original(04755), .replaced = original(0644, 7, 8)}, &notes);
  EXPECT_EQ(file.st_uid, 7U);
  EXPECT_EQ(file.st_gid, 8U);
  EXPECT_EQ(file.st_mode & 07777, 0755U) << "root's set-user-ID became another user's";
  EXPECT_EQ(notes,
            std::vector<std::string>{"set-user-ID not kept: the file has another owner or group"});
}

TEST_F(KeepMetadata, TellsThatAnOwnerCouldNotBeKeptAndShrinksTheGroupsPermissions) {
  if (!is_root()) GTEST_SKIP() << "needs root to drop its privileges";
  const Folder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  const std::string path = folder / "f";
  EXPECT_TRUE(in_child([&] {
    if (!become_nobody()) return false;
    const Descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    const auto notes = keep_metadata(file.ref(), {.source = {}, .replaced = original(0664, 7, 8)});
    return notes && notes->size() == 1 &&
           notes->at(0).starts_with("owner and group not kept: fchown: ");
  }));
  EXPECT_EQ(mode_of(path), 0644U);
}

TEST_F(KeepMetadata, TakesNothingOfASourceThatIsNoRegularFile) {
  for (const mode_t type : {S_IFIFO, S_IFCHR, S_IFBLK, S_IFSOCK}) {
    struct stat source = original(0777);
    source.st_mode = type | 0777U;
    const struct stat file = kept({.source = source, .replaced = {}});
    EXPECT_EQ(file.st_mode & 07777, 0600U);
    EXPECT_NE(file.st_mtim.tv_sec, source.st_mtim.tv_sec);
    EXPECT_EQ(mode_at_creation({.source = source, .replaced = {}}), 0666U);
  }
}

TEST_F(KeepMetadata, TakesTheReplacedFilesModeWhereTheSourceIsNoRegularFile) {
  struct stat source = original(0777);
  source.st_mode = S_IFIFO | 0777U;
  EXPECT_EQ(kept({.source = source, .replaced = original(0640)}).st_mode & 07777, 0640U);
}

TEST_F(KeepMetadata, LeavesAFileWithoutOriginalsAsItWasCreated) {
  EXPECT_EQ(kept({}).st_mode & 07777, 0600U);
  EXPECT_EQ(mode_at_creation({}), 0666U);
}

}  // namespace
}  // namespace headrace
