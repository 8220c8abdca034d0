#include "methods/sendfile/sendfile.hpp"

#include <sys/sendfile.h>

#include <cerrno>

namespace headrace::sys {

Result<std::size_t> sendfile(DescriptorRef destination, DescriptorRef source,
                             std::optional<Bytes> offset, std::size_t bytes) {
  auto position = static_cast<off_t>(offset.value_or(0));
  const ssize_t moved =
      ::sendfile(destination.number(), source.number(), offset ? &position : nullptr, bytes);
  if (moved < 0) return fail("sendfile", errno);
  return static_cast<std::size_t>(moved);
}

}  // namespace headrace::sys
