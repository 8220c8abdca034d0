#include "http/server/upload_place.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/temporary.hpp"

namespace headrace::http::server {
namespace {

namespace fs = std::filesystem;

/// `root` is served; `outside` lies beside it.
class UploadPlace : public ::testing::Test {
 protected:
  UploadPlace() {
    fs::create_directories(folder_ / "root/sub");
    fs::create_directories(folder_ / "outside");
    write("root/file", "old");
    write("outside/secret", "secret");
  }

  void write(std::string_view name, std::string_view content) const {
    static_cast<void>(folder_.file(name, content));
  }
  void link(const fs::path& target, std::string_view name) const {
    fs::create_symlink(target, folder_ / "root" / name);
  }
  [[nodiscard]] fs::path outside() const { return folder_ / "outside"; }

  [[nodiscard]] Taken<Destination> find(const std::string& path,
                                        Symlinks symlinks = Symlinks::beneath) const {
    const auto site = Site::open({.directory = folder_ / "root", .symlinks = symlinks});
    if (!site) return std::unexpected(Rejection{0, "the site cannot be opened"});
    return find_upload_place(*site, path);
  }
  [[nodiscard]] int status(const std::string& path, Symlinks symlinks = Symlinks::beneath) const {
    const auto found = find(path, symlinks);
    return found ? 200 : found.error().status;
  }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(UploadPlace, ANameThatIsFreeAndOneThatIsNot) {
  const auto free = find("/sub/new");
  ASSERT_TRUE(free);
  EXPECT_EQ(free->kind, DestinationKind::absent);
  EXPECT_EQ(free->name, "new");
  const auto taken = find("/file");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->kind, DestinationKind::regular);
  EXPECT_EQ(taken->status.st_size, 3);
}

TEST_F(UploadPlace, ADirectoryInTheWayIsAConflict) {
  for (const std::string path : {"/", "/sub", "/sub/", "/new/"})
    EXPECT_EQ(status(path), 409) << path;
}

TEST_F(UploadPlace, ADirectoryThatIsNotThereIsAConflict) {
  EXPECT_EQ(status("/nowhere/new"), 409);
  EXPECT_EQ(status("/file/new"), 409) << "a file is no directory";
}

TEST_F(UploadPlace, WhatIsNoRegularFileIsForbidden) {
  ASSERT_EQ(::mkfifo((outside().parent_path() / "root/fifo").c_str(), 0600), 0);
  EXPECT_EQ(status("/fifo"), 403);
}

TEST_F(UploadPlace, ALinkBeneathIsFollowedToItsFile) {
  link("sub/target", "link");
  link("../file", "sub/up");
  const auto dangling = find("/link");
  ASSERT_TRUE(dangling);
  EXPECT_EQ(dangling->kind, DestinationKind::absent);
  EXPECT_EQ(dangling->name, "target");
  const auto up = find("/sub/up");
  ASSERT_TRUE(up);
  EXPECT_EQ(up->kind, DestinationKind::regular);
  EXPECT_EQ(up->name, "file");
}

TEST_F(UploadPlace, ALinkThatLeadsOutIsForbidden) {
  link(outside() / "secret", "absolute");
  link("../outside/secret", "relative");
  link("../outside/new", "dangling");
  link(outside(), "directory");
  link("loop", "loop");
  for (const std::string path :
       {"/absolute", "/relative", "/dangling", "/directory/new", "/directory/secret", "/loop"}) {
    EXPECT_EQ(status(path), 403) << path;
  }
}

TEST_F(UploadPlace, NoLinkIsFollowedWhereNoneIsTo) {
  link("file", "link");
  link("sub", "directory");
  EXPECT_EQ(status("/link", Symlinks::never), 403);
  EXPECT_EQ(status("/directory/new", Symlinks::never), 403);
  EXPECT_EQ(status("/file", Symlinks::never), 200);
}

TEST_F(UploadPlace, AnyLinkIsFollowedWhereTheUserSaysSo) {
  link(outside() / "secret", "absolute");
  link(outside(), "directory");
  for (const std::string path : {"/absolute", "/directory/secret"}) {
    const auto found = find(path, Symlinks::any);
    ASSERT_TRUE(found) << path;
    EXPECT_EQ(found->kind, DestinationKind::regular);
    EXPECT_EQ(found->name, "secret");
  }
}

TEST_F(UploadPlace, ANameNoFileCanHaveIsNotFound) {
  EXPECT_EQ(status("/" + std::string(256, 'x')), 404);
  EXPECT_EQ(status("/" + std::string(255, 'x')), 200);
}

TEST(RejectionOf, SaysWhetherTheClientOrTheDiskIsAtFault) {
  const auto failed = [](int number) {
    return rejection_of({destination_failed, fail("linkat", number).error(), "detail"}).status;
  };
  EXPECT_EQ(failed(ENOSPC), 507);
  EXPECT_EQ(failed(EDQUOT), 507);
  EXPECT_EQ(failed(EFBIG), 413);
  EXPECT_EQ(failed(EROFS), 403);
  EXPECT_EQ(failed(ENOENT), 409);
  EXPECT_EQ(failed(EMFILE), 503);
  EXPECT_EQ(failed(EIO), 500);
  EXPECT_EQ(rejection_of({destination_has_other_links, {}, "detail"}).status, 403);
  EXPECT_EQ(rejection_of({destination_not_writable, fail("faccessat", EACCES).error(), ""}).status,
            403);
  EXPECT_EQ(rejection_of({destination_changed, {}, "detail"}).status, 409);
  EXPECT_EQ(rejection_of({destination_failed, fail("linkat", EIO).error(), "cannot"}).detail,
            "cannot: linkat: Input/output error");
}

}  // namespace
}  // namespace headrace::http::server
