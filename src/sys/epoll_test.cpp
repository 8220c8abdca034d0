#include "sys/epoll.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace headrace::sys {
namespace {

using std::chrono::milliseconds;

TEST(Epoll, TellsWhichDescriptorIsReadyWithTheCallersData) {
  const auto epoll = sys::epoll_create1(EPOLL_CLOEXEC);
  const auto silent = sys::eventfd(0, EFD_CLOEXEC);
  const auto ringing = sys::eventfd(1, EFD_CLOEXEC);
  ASSERT_TRUE(epoll && silent && ringing);
  const auto add = [&](const Descriptor& descriptor, std::uint64_t data) {
    return sys::epoll_ctl(epoll->ref(), EPOLL_CTL_ADD, descriptor.ref(),
                          {.events = EPOLLIN, .data = {.u64 = data}});
  };
  ASSERT_TRUE(add(*silent, 1) && add(*ringing, 2));
  std::array<epoll_event, 4> events{};
  ASSERT_EQ(sys::epoll_wait(epoll->ref(), events, std::nullopt).value(), 1U);
  EXPECT_EQ(events[0].data.u64, 2U);
  EXPECT_EQ(events[0].events, std::uint32_t{EPOLLIN});
  ASSERT_TRUE(sys::epoll_ctl(epoll->ref(), EPOLL_CTL_DEL, ringing->ref(), {}));
  EXPECT_EQ(sys::epoll_wait(epoll->ref(), events, milliseconds{1}).value(), 0U);
}

TEST(Epoll, WaitsAsLongAsTheKernelCanWhereMoreIsAsked) {
  const auto epoll = sys::epoll_create1(EPOLL_CLOEXEC);
  const auto ringing = sys::eventfd(1, EFD_CLOEXEC);
  ASSERT_TRUE(epoll && ringing);
  ASSERT_TRUE(
      sys::epoll_ctl(epoll->ref(), EPOLL_CTL_ADD, ringing->ref(), {.events = EPOLLIN, .data = {}}));
  std::array<epoll_event, 1> events{};
  EXPECT_EQ(sys::epoll_wait(epoll->ref(), events, milliseconds::max()).value(), 1U);
}

TEST(Epoll, NamesTheCallThatFailed) {
  const DescriptorRef none;
  std::array<epoll_event, 1> events{};
  EXPECT_EQ(sys::epoll_create1(-1).error().call, "epoll_create1");
  EXPECT_EQ(sys::epoll_ctl(none, EPOLL_CTL_ADD, none, {}).error().call, "epoll_ctl");
  EXPECT_EQ(sys::epoll_wait(none, events, milliseconds{0}).error().call, "epoll_wait");
  EXPECT_EQ(sys::eventfd(0, -1).error().call, "eventfd");
  EXPECT_EQ(sys::eventfd(0, -1).error().code.value(), EINVAL);
}

}  // namespace
}  // namespace headrace::sys
