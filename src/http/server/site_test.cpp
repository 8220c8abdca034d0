#include "http/server/site.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "support/must.hpp"
#include "support/temporary.hpp"

namespace headrace::http::server {
namespace {

namespace fs = std::filesystem;

class SiteOf : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root() / "d" / "empty");
    write("f", "file");
    write("d/index.html", "index");
    write(".hidden", "hidden");
    [[maybe_unused]] const auto secret = folder_.file("secret", "secret");
    fs::create_symlink("d/index.html", root() / "inner");
    fs::create_symlink("../secret", root() / "outer");
    testing::must(::mkfifo((root() / "fifo").c_str(), 0600), "mkfifo");
  }
  [[nodiscard]] fs::path root() const { return folder_ / "root"; }
  void write(std::string_view name, std::string_view content) const {
    fs::create_directories((root() / name).parent_path());
    [[maybe_unused]] const auto made = folder_.file("root/" + std::string(name), content);
  }
  Site site() const {
    Configuration whole = configuration;
    whole.directory = root();
    return std::move(*Site::open(whole));
  }
  /// The content of a file, "directory", or the status.
  std::string find(const std::string& path) const {
    Opened opened = site().find(path);
    if (const auto* const absent = std::get_if<Absent>(&opened)) {
      return std::to_string(absent->status);
    }
    const auto* const file = std::get_if<OpenFile>(&opened);
    return file != nullptr ? testing::read_all(file->descriptor) : "directory";
  }
  std::vector<std::string> names(const std::string& path) const {
    const Site site = this->site();
    const Opened opened = site.find(path);
    const auto listing = site.list(std::get<OpenDirectory>(opened).descriptor.ref(), path);
    std::vector<std::string> names;
    for (const Entry& entry : listing->entries) names.push_back(entry.name);
    std::ranges::sort(names);
    return names;
  }

  testing::TemporaryFolder folder_;
  Configuration configuration;
};

TEST_F(SiteOf, FilesAndDirectories) {
  EXPECT_EQ(find("/f"), "file");
  EXPECT_EQ(find("/d"), "directory");
  EXPECT_EQ(find("/d/"), "index");
  EXPECT_EQ(find("/d/empty/"), "directory");
  EXPECT_EQ(find("/"), "directory");
}

TEST_F(SiteOf, WhatCannotBeServed) {
  EXPECT_EQ(find("/none"), "404");
  EXPECT_EQ(find("/f/"), "404");
  EXPECT_EQ(find("/f/x"), "404");
  EXPECT_EQ(find("/fifo"), "403");
  EXPECT_EQ(find("/" + std::string(256, 'x')), "404");
}

TEST_F(SiteOf, NoPathLeadsOut) {
  EXPECT_EQ(find("/../secret"), "404");
  EXPECT_EQ(find("/d/../../secret"), "404");
  EXPECT_EQ(find("/outer"), "404");
}

TEST_F(SiteOf, LinksAsTheyAreAllowed) {
  EXPECT_EQ(find("/inner"), "index");
  configuration.symlinks = Symlinks::never;
  EXPECT_EQ(find("/inner"), "404");
  configuration.symlinks = Symlinks::any;
  EXPECT_EQ(find("/outer"), "secret");
}

TEST_F(SiteOf, HiddenNames) {
  EXPECT_EQ(find("/.hidden"), "404");
  configuration.dotfiles = true;
  EXPECT_EQ(find("/.hidden"), "hidden");
}

TEST_F(SiteOf, AnIndexThatCannotBeOpenedLeavesTheListing) {
  fs::create_directory(root() / "d" / "empty" / "index.html");
  EXPECT_EQ(find("/d/empty/"), "directory");
}

TEST_F(SiteOf, ListsWhatARequestWouldGet) {
  EXPECT_EQ(names("/"), (std::vector<std::string>{"d", "f", "inner"}));
  configuration.dotfiles = true;
  configuration.symlinks = Symlinks::any;
  EXPECT_EQ(names("/"), (std::vector<std::string>{".hidden", "d", "f", "inner", "outer"}));
}

TEST_F(SiteOf, ListsMoreThanOneReadHolds) {
  for (int number = 0; number < 2000; ++number) write("many/" + std::to_string(number), "");
  EXPECT_EQ(names("/many/").size(), 2000);
}

TEST(SiteErrors, HaveTheirStatus) {
  EXPECT_EQ(status_of(fail("openat2", EACCES).error()), 403);
  EXPECT_EQ(status_of(fail("openat2", EMFILE).error()), 503);
  EXPECT_EQ(status_of(fail("openat2", EIO).error()), 500);
}

TEST(SiteErrors, ADirectoryThatIsNotThere) {
  Configuration configuration;
  configuration.directory = "/nonexistent";
  EXPECT_EQ(Site::open(configuration).error().code, std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace headrace::http::server
