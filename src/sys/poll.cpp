#include "sys/poll.hpp"

#include <cerrno>
#include <ctime>

namespace headrace::sys {

Result<int> poll(std::span<pollfd> entries, std::optional<std::chrono::milliseconds> timeout) {
  timespec limit{};
  if (timeout) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*timeout);
    limit.tv_sec = seconds.count();
    limit.tv_nsec = std::chrono::nanoseconds(*timeout - seconds).count();
  }
  const int ready = ::ppoll(entries.data(), entries.size(), timeout ? &limit : nullptr, nullptr);
  if (ready < 0) return fail("ppoll", errno);
  return ready;
}

}  // namespace headrace::sys
