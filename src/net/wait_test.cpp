#include "net/wait.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <atomic>
#include <thread>

namespace headrace::net {
namespace {

using std::chrono::milliseconds;

Descriptor event(unsigned int value) { return Descriptor{::eventfd(value, EFD_CLOEXEC)}; }

TEST(WaitFor, TellsThatTheDescriptorIsReady) {
  const Descriptor ready = event(1);
  EXPECT_EQ(wait_for(ready.ref(), POLLIN, {}, {}).value(), Woken::ready);
}

TEST(WaitFor, TellsThatTheTimeIsOver) {
  const Descriptor silent = event(0);
  const auto deadline = deadline_after(milliseconds{1});
  EXPECT_EQ(wait_for(silent.ref(), POLLIN, deadline, {}).value(), Woken::timed_out);
  EXPECT_GE(Clock::now(), *deadline);
}

TEST(WaitFor, WaitsWithoutADescriptor) {
  EXPECT_EQ(wait_for(DescriptorRef{}, 0, Clock::now(), {}).value(), Woken::timed_out);
}

TEST(WaitFor, PutsTheStopBeforeAReadyDescriptor) {
  const Descriptor ready = event(1);
  const std::atomic<bool> requested{true};
  EXPECT_EQ(wait_for(ready.ref(), POLLIN, {}, {&requested, {}}).value(), Woken::stopped);
}

TEST(WaitFor, IsWokenByTheDescriptorOfTheStop) {
  const Descriptor silent = event(0);
  const Descriptor wake = event(0);
  std::atomic<bool> requested{false};
  std::jthread stopper([&] {
    requested = true;
    ::eventfd_write(wake.ref().number(), 1);
  });
  EXPECT_EQ(wait_for(silent.ref(), POLLIN, {}, {&requested, wake.ref()}).value(), Woken::stopped);
}

TEST(WaitFor, SeesAStopThatHasNoDescriptor) {
  const Descriptor silent = event(0);
  std::atomic<bool> requested{false};
  std::jthread stopper([&] { requested = true; });
  EXPECT_EQ(wait_for(silent.ref(), POLLIN, {}, {&requested, {}}).value(), Woken::stopped);
}

TEST(Deadlines, TakeTheEarlierOfTwo) {
  const auto now = Clock::now();
  EXPECT_EQ(earlier({}, {}), Deadline{});
  EXPECT_EQ(earlier(now, {}), now);
  EXPECT_EQ(earlier({}, now), now);
  EXPECT_EQ(earlier(now, now + milliseconds{1}), now);
}

TEST(BackOff, NeverGoesBeyondTheLimit) {
  BackOff back_off;
  const auto limit = Clock::now();
  EXPECT_EQ(back_off.next(limit), limit);
}

}  // namespace
}  // namespace headrace::net
