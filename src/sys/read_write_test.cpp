#include "sys/read_write.hpp"

#include <gtest/gtest.h>
#include <sys/uio.h>

#include <array>

#include "support/temporary.hpp"

namespace headrace::sys {
namespace {

TEST(ReadWrite, ReadsAtAnOffsetWithoutMovingThePosition) {
  const Descriptor file = testing::file_holding("0123456789");
  std::array<std::byte, 3> buffer{};
  ASSERT_EQ(preadv2(file.ref(), buffer, 4, 0).value(), 3U);
  EXPECT_EQ(buffer, (std::array{std::byte{'4'}, std::byte{'5'}, std::byte{'6'}}));
  EXPECT_EQ(testing::offset_of(file), 0U);
  EXPECT_EQ(preadv2(file.ref(), buffer, 10, 0).value(), 0U) << "the end";
}

TEST(ReadWrite, NamesTheCallThatFailedAtAnOffset) {
  std::array<std::byte, 1> buffer{};
  const auto read = preadv2(DescriptorRef{}, buffer, 0, RWF_NOWAIT);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().call, "preadv2");
  EXPECT_EQ(read.error().code, std::errc::bad_file_descriptor);
}

}  // namespace
}  // namespace headrace::sys
