#include <sys/syscall.h>
#include <sys/xattr.h>

#include <array>

#include "support/deny.hpp"
#include "transfer/commit_testing.hpp"

// What becomes of metadata that cannot be read: no file is opened wider for it.
namespace headrace {
namespace {

using namespace commit_testing;

constexpr const char* acl = "system.posix_acl_access";

/// Gives `path` a list by which one user may read and write, and the group nothing: its mode is
/// 0660, since the group's bits are the mask. False: no lists here.
bool share_with_one(const std::string& path) {
  constexpr std::array<unsigned char, 44> list{
      2,    0, 0, 0,                          // version
      0x01, 0, 6, 0, 0xff, 0xff, 0xff, 0xff,  // owner
      0x02, 0, 6, 0, 0x92, 0x10, 0,    0,     // the user 4242
      0x04, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,  // group
      0x10, 0, 6, 0, 0xff, 0xff, 0xff, 0xff,  // mask
      0x20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,  // others
  };
  return ::setxattr(path.c_str(), acl, list.data(), list.size(), 0) == 0;
}

bool has_list(const std::string& path) { return ::getxattr(path.c_str(), acl, nullptr, 0) > 0; }

/// The only note says that the list could not be read by `call`.
bool tells_of(const Placed<Committed>& committed, const std::string& call) {
  const std::string note = "access list and the group's permissions not kept: " + call + ": ";
  return committed && committed->notes.size() == 1 && committed->notes[0].starts_with(note);
}

TEST(DeniedMetadata, AReplacedFilesUnreadableListOpensNothing) {
  const Folder folder;
  write_file(folder / "f", "old");
  if (!share_with_one(folder / "f")) GTEST_SKIP() << "no access lists here";
  ASSERT_EQ(mode_of(folder / "f"), 0660U);
  const int status = testing::run_in_child([&] {
    testing::deny_call(SYS_lgetxattr, EACCES);
    auto replacement = open_replacement(folder / "f");
    return replacement && tells_of(replacement->commit(), "lgetxattr") ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(mode_of(folder / "f"), 0600U);
  EXPECT_FALSE(has_list(folder / "f"));
}

/// "f" is made of a source that is shared with one, whose list cannot be read.
class UnreadableListOfTheSource : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_ / "source", "x");
    if (!share_with_one(folder_ / "source")) GTEST_SKIP() << "no access lists here";
  }
  /// What `judge` says of the commit.
  template <class Judge>
  [[nodiscard]] int make_one(const Preserve& preserve, Judge judge) const {
    const Descriptor source{::open((folder_ / "source").c_str(), O_RDONLY | O_CLOEXEC)};
    return testing::run_in_child([&] {
      testing::deny_call(SYS_fgetxattr, EACCES);
      auto replacement = open_replacement(folder_ / "f", {.source = status_of(folder_ / "source"),
                                                          .source_file = source.ref(),
                                                          .preserve = preserve});
      return replacement && judge(replacement->commit()) ? 0 : 1;
    });
  }
  static bool is_told(const Placed<Committed>& committed) {
    return tells_of(committed, "fgetxattr");
  }
  static bool fails(const Placed<Committed>& committed) {
    return !committed && committed.error().reason == metadata_not_kept;
  }
  Folder folder_;  // NOLINT(*-non-private-member-variables-in-classes): a fixture's
};

TEST_F(UnreadableListOfTheSource, OpensNothing) {
  Preserve with_list;
  with_list.access_list = Keep::if_possible;
  for (const Preserve& preserve : {Preserve{}, with_list}) {
    EXPECT_EQ(make_one(preserve, is_told), 0);
    EXPECT_EQ(mode_of(folder_ / "f"), 0600U);
    EXPECT_FALSE(has_list(folder_ / "f"));
  }
}

TEST_F(UnreadableListOfTheSource, FailsTheCopyWhereModeOrListAreNamed) {
  Preserve mode = preserve_nothing;
  mode.mode = Keep::required;
  Preserve list = preserve_nothing;
  list.access_list = Keep::required;
  for (const Preserve& preserve : {mode, list}) EXPECT_EQ(make_one(preserve, fails), 0);
  EXPECT_EQ(folder_.names(), Names{"source"});
}

TEST(DeniedMetadata, AnOwnerThatIsNamedFailsWhereTheFileCannotBeLookedAt) {
  const Folder folder;
  write_file(folder / "f", "x");
  const Descriptor file{::open((folder / "f").c_str(), O_RDWR | O_CLOEXEC)};
  Preserve preserve = preserve_nothing;
  preserve.owner = Keep::required;
  const Originals originals{.source = status_of(folder / "f"), .preserve = preserve};
  const int status = testing::run_in_child([&] {
    const testing::Match of_file{0, static_cast<std::uint32_t>(file.ref().number())};
    testing::deny_call(SYS_fstat, EIO, of_file);
    testing::deny_call(SYS_newfstatat, EIO, of_file);
    const auto kept = keep_metadata(file.ref(), originals);
    return !kept && kept.error().detail == "owner and group not kept" ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headrace
