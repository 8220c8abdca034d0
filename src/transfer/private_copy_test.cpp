#include "transfer/private_copy.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <memory>

#include "support/cloning_file_system.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using namespace headrace::testing;
namespace fs = std::filesystem;

class UnnamedClone : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { mounted = std::make_unique<CloningFileSystem>(); }
  static void TearDownTestSuite() { mounted.reset(); }
  void SetUp() override {
    if (!mounted->path()) GTEST_SKIP() << "no file system with shared extents here";
    path_ = *mounted->path() / "source";
    const Descriptor file = open_file(path_, O_RDWR | O_CREAT | O_TRUNC);
    must(::write(file.ref().number(), content_.data(), content_.size()), "write");
    source_ = open_file(path_, O_RDONLY);
  }
  [[nodiscard]] static std::ptrdiff_t names() {
    return std::distance(fs::directory_iterator(*mounted->path()), fs::directory_iterator{});
  }
  void overwrite() const {
    const Descriptor writer = open_file(path_, O_WRONLY);
    const std::string other(content_.size(), 'x');
    must(::pwrite(writer.ref().number(), other.data(), other.size(), 0), "pwrite");
  }

  static inline std::unique_ptr<CloningFileSystem> mounted;
  std::string content_ = random_bytes(300'001);
  fs::path path_;
  Descriptor source_;
};

TEST_F(UnnamedClone, HoldsTheSourcesBytesAtOffsetZero) {
  const auto clone = clone_unnamed(source_.ref());
  ASSERT_TRUE(clone) << clone.error().call << ": " << clone.error().code.message();
  EXPECT_EQ(read_all(*clone), content_);
  EXPECT_EQ(offset_of(*clone), 0);
  EXPECT_EQ(offset_of(source_), 0);
}

TEST_F(UnnamedClone, KeepsThemWhenTheSourceIsOverwrittenAndCut) {
  const auto clone = clone_unnamed(source_.ref());
  ASSERT_TRUE(clone);
  overwrite();
  EXPECT_EQ(read_all(*clone), content_);
  must(::truncate(path_.c_str(), 1), "truncate");
  EXPECT_EQ(read_all(*clone), content_);
}

TEST_F(UnnamedClone, HasNoNameAndCannotBeGivenOne) {
  const auto clone = clone_unnamed(source_.ref());
  ASSERT_TRUE(clone);
  EXPECT_EQ(names(), 1);
  const std::string link = "/proc/self/fd/" + std::to_string(clone->ref().number());
  const fs::path name = *mounted->path() / "name";
  EXPECT_NE(::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW), 0);
}

TEST_F(UnnamedClone, GivesNobodyPermission) {
  const auto clone = clone_unnamed(source_.ref());
  ASSERT_TRUE(clone);
  struct stat status{};
  must(::fstat(clone->ref().number(), &status), "fstat");
  EXPECT_EQ(status.st_mode & 07777U, 0U);
  EXPECT_EQ(status.st_nlink, 0U);
}

TEST_F(UnnamedClone, IsToBeHadOfAFileWhoseNameIsGone) {
  fs::remove(path_);
  const auto clone = clone_unnamed(source_.ref());
  ASSERT_TRUE(clone);
  EXPECT_EQ(read_all(*clone), content_);
}

TEST_F(UnnamedClone, LeavesNothingBehindWhereItFails) {
  const std::size_t descriptors = open_descriptors();
  const Descriptor zero = open_file("/dev/zero", O_RDONLY);
  EXPECT_FALSE(clone_unnamed(zero.ref()));
  EXPECT_EQ(open_descriptors(), descriptors + 1);
}

TEST(UnnamedCloneElsewhere, IsRefusedByAFileSystemWithoutSharedExtents) {
  const TemporaryFolder folder{"/dev/shm"};
  const Descriptor source = open_file(folder.file("source", "bytes"), O_RDONLY);
  const auto clone = clone_unnamed(source.ref());
  ASSERT_FALSE(clone);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1);
}

TEST(UnnamedCloneElsewhere, IsRefusedForAPipe) {
  std::array<int, 2> ends{};
  must(::pipe2(ends.data(), O_CLOEXEC), "pipe2");
  const Descriptor reader{ends[0]};
  const Descriptor writer{ends[1]};
  EXPECT_FALSE(clone_unnamed(reader.ref()));
}

}  // namespace
}  // namespace headrace
