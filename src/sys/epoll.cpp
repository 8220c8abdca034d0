#include "sys/epoll.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace headrace::sys {
namespace {

/// The kernel takes an int; the longest it knows is 24 days.
int whole(std::optional<std::chrono::milliseconds> timeout) {
  constexpr std::chrono::milliseconds::rep longest = std::numeric_limits<int>::max();
  return timeout ? static_cast<int>(std::min(timeout->count(), longest)) : -1;
}

Result<Descriptor> opened(std::string_view call, int number) {
  if (number < 0) return fail(call, errno);
  return Descriptor{number};
}

}  // namespace

Result<Descriptor> epoll_create1(int flags) {
  return opened("epoll_create1", ::epoll_create1(flags));
}

Result<void> epoll_ctl(DescriptorRef epoll, int operation, DescriptorRef descriptor,
                       epoll_event event) {
  if (::epoll_ctl(epoll.number(), operation, descriptor.number(), &event) != 0) {
    return fail("epoll_ctl", errno);
  }
  return {};
}

Result<std::size_t> epoll_wait(DescriptorRef epoll, std::span<epoll_event> events,
                               std::optional<std::chrono::milliseconds> timeout) {
  const int ready =
      ::epoll_wait(epoll.number(), events.data(), static_cast<int>(events.size()), whole(timeout));
  if (ready < 0) return fail("epoll_wait", errno);
  return static_cast<std::size_t>(ready);
}

Result<Descriptor> eventfd(unsigned int initial, int flags) {
  return opened("eventfd", ::eventfd(initial, flags));
}

}  // namespace headrace::sys
