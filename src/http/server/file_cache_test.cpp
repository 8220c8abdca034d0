#include "http/server/file_cache.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temporary.hpp"
#include "sys/files.hpp"

namespace headrace::http::server {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::milliseconds;

class FileCacheOf : public ::testing::Test {
 protected:
  FileCacheOf() : site_(open()) {}

  Site open() const {
    Configuration configuration;
    configuration.directory = folder_.path();
    return std::move(*Site::open(configuration));
  }
  void write(std::string_view name, std::string_view content) const {
    [[maybe_unused]] const auto made = folder_.file(name, content);
  }
  /// Null: no file.
  std::shared_ptr<CachedFile> find(const std::string& path) {
    auto found = cache_.find(path, now_);
    auto* const file = std::get_if<std::shared_ptr<CachedFile>>(&found);
    return file != nullptr ? *file : nullptr;
  }

  testing::TemporaryFolder folder_;
  Site site_;
  FileCache cache_{site_, 3};
  // Every file is older than the clock's step then.
  FileCache::Time now_ = std::chrono::system_clock::now() + hours{1};
};

TEST_F(FileCacheOf, KeepsWhatItOpened) {
  write("f", "content");
  const auto first = find("/f");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(find("/f"), first);
  EXPECT_EQ(first->facts().size, 7);
  EXPECT_NE(first->head().find("Content-Length: 7\r\n"), std::string::npos);
}

TEST_F(FileCacheOf, SeesAtOnceThatAFileHasChanged) {
  write("f", "content");
  const auto file = find("/f");
  const EntityTag before = file->facts().tag;
  std::ofstream(folder_ / "f", std::ios::app) << "!";
  EXPECT_EQ(find("/f")->facts().size, 8);
  EXPECT_NE(find("/f")->facts().tag, before);
  EXPECT_NE(find("/f")->head().find("Content-Length: 8\r\n"), std::string::npos);
}

TEST_F(FileCacheOf, SeesAtOnceThatAFileWasReplacedOrRemoved) {
  write("f", "old");
  EXPECT_EQ(find("/f")->facts().size, 3);
  write("new", "newer");
  fs::rename(folder_ / "new", folder_ / "f");
  EXPECT_EQ(find("/f")->facts().size, 5);
  fs::remove(folder_ / "f");
  EXPECT_EQ(find("/f"), nullptr);
  EXPECT_EQ(cache_.size(), 0);
}

TEST_F(FileCacheOf, SeesAfterASecondThatADirectoryWasReplaced) {
  fs::create_directory(folder_ / "d");
  fs::create_directory(folder_ / "e");
  write("d/f", "old");
  write("e/f", "newer");
  EXPECT_EQ(find("/d/f")->facts().size, 3);
  fs::rename(folder_ / "d", folder_ / "away");
  fs::rename(folder_ / "e", folder_ / "d");
  now_ += FileCache::path_age;
  EXPECT_EQ(find("/d/f")->facts().size, 5);
}

TEST_F(FileCacheOf, ForgetsWhatWasUsedLeastLately) {
  for (const char* const name : {"a", "b", "c", "d"}) write(name, name);
  const std::weak_ptr<CachedFile> a = find("/a");
  const std::weak_ptr<CachedFile> b = find("/b");
  find("/c");
  find("/a");
  find("/d");
  EXPECT_EQ(cache_.size(), 3);
  EXPECT_FALSE(a.expired());
  EXPECT_TRUE(b.expired());
}

TEST_F(FileCacheOf, ClosesWhatNobodyHasAskedForForAWhile) {
  for (const char* const name : {"a", "b"}) write(name, name);
  const std::weak_ptr<CachedFile> a = find("/a");
  const std::weak_ptr<CachedFile> b = find("/b");
  now_ += milliseconds{600};
  find("/a");
  now_ += milliseconds{400};
  cache_.drop_idle(now_, milliseconds{1000});
  EXPECT_FALSE(a.expired());
  EXPECT_TRUE(b.expired());
  EXPECT_EQ(cache_.size(), 1);
}

TEST_F(FileCacheOf, ClosesWhatWasAskedForByAClockThatWasSetBack) {
  write("f", "content");
  find("/f");
  cache_.drop_idle(now_ - hours{1}, milliseconds{1000});
  EXPECT_EQ(cache_.size(), 0);
}

TEST_F(FileCacheOf, WhatIsInUseOutlivesIt) {
  write("f", "content");
  const auto file = find("/f");
  cache_.forget("/f");
  EXPECT_EQ(cache_.size(), 0);
  EXPECT_TRUE(sys::fstat(file->descriptor()).has_value());
  EXPECT_NE(find("/f"), file);
}

TEST_F(FileCacheOf, KeepsNeitherDirectoriesNorWhatIsNotThere) {
  EXPECT_EQ(find("/"), nullptr);
  EXPECT_EQ(find("/none"), nullptr);
  EXPECT_EQ(cache_.size(), 0);
  write("none", "there now");
  EXPECT_NE(find("/none"), nullptr);
}

TEST_F(FileCacheOf, AFileThatChangedJustNowHasAWeakTagUntilItIsOlder) {
  write("f", "content");
  const auto status = sys::fstatat(sys::working_directory, folder_ / "f", 0);
  const auto changed = FileCache::Time{std::chrono::duration_cast<FileCache::Time::duration>(
      std::chrono::seconds{status->st_ctim.tv_sec} +
      std::chrono::nanoseconds{status->st_ctim.tv_nsec})};
  now_ = changed + milliseconds{1};
  EXPECT_TRUE(find("/f")->facts().tag.weak);
  EXPECT_FALSE(find("/f")->facts().modified_strong);
  now_ = changed + milliseconds{30};
  EXPECT_FALSE(find("/f")->facts().tag.weak);
  now_ = changed + milliseconds{1100};
  EXPECT_TRUE(find("/f")->facts().modified_strong);
}

TEST_F(FileCacheOf, TellsWhatIsInMemory) {
  write("f", "content");
  const auto file = find("/f");
  std::array<std::byte, 7> room{};
  EXPECT_EQ(file->read(room, 0), SmallRead::whole);
  EXPECT_FALSE(file->is_cold(0, 7));
  EXPECT_EQ(file->read(room, 1), SmallRead::cut_short);
}

}  // namespace
}  // namespace headrace::http::server
