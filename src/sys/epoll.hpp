#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "headrace/descriptor.hpp"

namespace headrace::sys {

Result<Descriptor> epoll_create1(int flags);
/// `operation` is EPOLL_CTL_ADD, EPOLL_CTL_MOD or EPOLL_CTL_DEL; the last takes any `event`.
Result<void> epoll_ctl(DescriptorRef epoll, int operation, DescriptorRef descriptor,
                       epoll_event event);
/// How many of `events` were filled; 0: the time is over. An absent timeout waits for ever.
Result<std::size_t> epoll_wait(DescriptorRef epoll, std::span<epoll_event> events,
                               std::optional<std::chrono::milliseconds> timeout);

Result<Descriptor> eventfd(unsigned int initial, int flags);

}  // namespace headrace::sys
