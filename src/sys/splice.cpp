#include "sys/splice.hpp"

#include <fcntl.h>

#include <cerrno>

namespace headrace::sys {

Result<std::size_t> splice(DescriptorRef source, std::optional<Bytes> offset,
                           DescriptorRef destination, std::size_t bytes, unsigned flags) {
  auto position = static_cast<off64_t>(offset.value_or(0));
  const ssize_t moved = ::splice(source.number(), offset ? &position : nullptr,
                                 destination.number(), nullptr, bytes, flags);
  if (moved < 0) return fail("splice", errno);
  return static_cast<std::size_t>(moved);
}

}  // namespace headrace::sys
