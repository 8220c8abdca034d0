#include "sys/poll.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "headrace/descriptor.hpp"

namespace headrace::sys {
namespace {

TEST(Poll, TellsWhenTheTimeIsOver) {
  const auto ready = poll({}, std::chrono::milliseconds{1});
  ASSERT_TRUE(ready);
  EXPECT_EQ(*ready, 0);
}

TEST(Poll, TellsWhichDescriptorIsReady) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const Descriptor reader{ends[0]};
  const Descriptor writer{ends[1]};
  std::array<pollfd, 2> entries{{{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}}};
  const auto ready = poll(entries, std::nullopt);
  ASSERT_TRUE(ready);
  EXPECT_EQ(*ready, 1);
  EXPECT_EQ(entries[0].revents, 0);
  EXPECT_EQ(entries[1].revents, POLLOUT);
}

TEST(Poll, NamesItsCallInTheError) {
  // A negative time is not one: the kernel answers EINVAL.
  const auto ready = poll({}, std::chrono::milliseconds{-1});
  ASSERT_FALSE(ready);
  EXPECT_EQ(ready.error().call, "ppoll");
  EXPECT_EQ(ready.error().code, std::errc::invalid_argument);
}

}  // namespace
}  // namespace headrace::sys
