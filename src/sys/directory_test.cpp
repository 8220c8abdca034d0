#include "sys/directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <set>
#include <string>

#include "support/temporary.hpp"

namespace headrace::sys {
namespace {

std::multiset<std::string> names_in(const Descriptor& directory, std::span<std::byte> buffer) {
  std::multiset<std::string> names;
  while (true) {
    const auto filled = getdents64(directory.ref(), buffer);
    if (!filled || *filled == 0) return names;
    std::span<const std::byte> entries = buffer.first(*filled);
    while (const auto entry = take_entry(entries)) names.emplace(entry->name);
  }
}

TEST(Directory, GivesEachNameOnceHoweverManyCallsItTakes) {
  const testing::TemporaryFolder folder;
  std::multiset<std::string> expected{".", ".."};
  for (int number = 0; number < 50; ++number) {
    const std::string name = std::string(static_cast<std::size_t>(number + 1), 'n');
    static_cast<void>(folder.file(name, ""));
    expected.insert(name);
  }
  const Descriptor directory = testing::open_file(folder.path(), O_RDONLY | O_DIRECTORY);
  alignas(8) std::array<std::byte, 300> small{};
  EXPECT_EQ(names_in(directory, small), expected);
}

TEST(Directory, TellsKindsWhereTheFileSystemDoes) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(::mkdir((folder / "d").c_str(), 0700), 0);
  const Descriptor directory = testing::open_file(folder.path(), O_RDONLY | O_DIRECTORY);
  alignas(8) std::array<std::byte, 4096> buffer{};
  const auto filled = getdents64(directory.ref(), buffer);
  ASSERT_TRUE(filled);
  std::span<const std::byte> entries = std::span(buffer).first(*filled);
  int seen = 0;
  for (; const auto entry = take_entry(entries); ++seen) {
    EXPECT_TRUE(entry->type == DT_DIR || entry->type == DT_UNKNOWN) << entry->name;
  }
  EXPECT_EQ(seen, 3);
}

TEST(Directory, NamesTheCallThatFailed) {
  alignas(8) std::array<std::byte, 300> buffer{};
  const Descriptor file = testing::file_holding("no directory");
  const auto refused = getdents64(file.ref(), buffer);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().call, "getdents64");
  EXPECT_EQ(refused.error().code.value(), ENOTDIR);
}

}  // namespace
}  // namespace headrace::sys
