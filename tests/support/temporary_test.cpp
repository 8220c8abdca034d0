#include "support/temporary.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace headrace::testing {
namespace {

TEST(TemporaryFolder, IsGoneWithItsFilesAtTheEnd) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::filesystem::create_directory(folder / "inner");
    EXPECT_EQ(read_all(folder.file("inner/a", "content")), "content");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(FileHolding, StandsAtItsBeginningAndCanBeWritten) {
  const Descriptor file = file_holding("hello");
  EXPECT_EQ(offset_of(file), 0U);
  EXPECT_EQ(::write(file.ref().number(), "J", 1), 1);
  EXPECT_EQ(offset_of(file), 1U);
  EXPECT_EQ(read_all(file), "Jello");
  EXPECT_EQ(offset_of(file), 1U);
}

TEST(ReadAll, ReadsPseudoFilesToTheirEnd) {
  EXPECT_EQ(read_all("/proc/version").substr(0, 6), "Linux ");
}

TEST(RandomBytes, AreTheSameForASeedAndDifferBetweenSeeds) {
  EXPECT_EQ(random_bytes(1003, 7), random_bytes(1003, 7));
  EXPECT_EQ(random_bytes(1003, 7), random_bytes(2000, 7).substr(0, 1003));
  EXPECT_NE(random_bytes(1003, 7), random_bytes(1003, 8));
  EXPECT_EQ(random_bytes(0), "");
}

TEST(RandomBytes, UseEveryByteValueAboutEquallyOften) {
  std::array<std::size_t, 256> counts{};
  for (const char byte : random_bytes(256000)) ++counts[static_cast<unsigned char>(byte)];
  for (const std::size_t count : counts) {
    EXPECT_GT(count, 800U);
    EXPECT_LT(count, 1200U);
  }
}

TEST(OpenDescriptors, CountsOneMoreForOneMore) {
  const std::size_t before = open_descriptors();
  const Descriptor file = open_file("/dev/null", O_RDONLY);
  EXPECT_EQ(open_descriptors(), before + 1);
}

}  // namespace
}  // namespace headrace::testing
