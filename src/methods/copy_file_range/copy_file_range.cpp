#include "methods/copy_file_range/copy_file_range.hpp"

#include <unistd.h>

#include <cerrno>

namespace headrace::sys {

Result<std::size_t> copy_file_range(DescriptorRef source, std::optional<Bytes> offset,
                                    DescriptorRef destination, std::size_t bytes) {
  auto position = static_cast<off64_t>(offset.value_or(0));
  const ssize_t moved = ::copy_file_range(source.number(), offset ? &position : nullptr,
                                          destination.number(), nullptr, bytes, 0);
  if (moved < 0) return fail("copy_file_range", errno);
  return static_cast<std::size_t>(moved);
}

}  // namespace headrace::sys
