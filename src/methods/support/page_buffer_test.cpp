#include "methods/support/page_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "sys/mapping.hpp"

namespace headrace {
namespace {

bool at_a_page(const PageBuffer& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.bytes().data()) % sys::page_size() == 0;
}

TEST(PageBuffer, IsZeroedMemoryThatBeginsAtAPage) {
  const auto buffer = PageBuffer::allocate(10'000);
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->bytes().size(), 10'000U);
  EXPECT_TRUE(at_a_page(*buffer));
  EXPECT_EQ(std::ranges::count(buffer->bytes(), std::byte{0}), 10'000);
}

TEST(PageBuffer, GoesFromHandToHandWithItsBytes) {
  auto first = PageBuffer::allocate(1);
  ASSERT_TRUE(first);
  first->bytes()[0] = std::byte{7};
  PageBuffer second = std::move(*first);
  EXPECT_EQ(second.bytes()[0], std::byte{7});
  PageBuffer third;
  third = std::move(second);
  EXPECT_EQ(third.bytes()[0], std::byte{7});
}

TEST(PageBuffer, SaysWhyThereIsNone) {
  const auto buffer = PageBuffer::allocate(std::size_t{1} << 60);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().call, "mmap");
  EXPECT_EQ(buffer.error().code, std::errc::not_enough_memory);
}

}  // namespace
}  // namespace headrace
