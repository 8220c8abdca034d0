#include "methods/vmsplice/vmsplice.hpp"

#include <fcntl.h>
#include <sys/uio.h>

#include <cerrno>

namespace headrace::sys {

Result<std::size_t> vmsplice(DescriptorRef pipe, std::span<const std::byte> bytes, unsigned flags) {
  // The call only reads there; iovec has no const form.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  const iovec piece{.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};
  const ssize_t taken = ::vmsplice(pipe.number(), &piece, 1, flags);
  if (taken < 0) return fail("vmsplice", errno);
  return static_cast<std::size_t>(taken);
}

}  // namespace headrace::sys
