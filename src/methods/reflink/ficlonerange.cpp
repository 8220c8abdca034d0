#include "methods/reflink/ficlonerange.hpp"

#include <linux/fs.h>
#include <sys/ioctl.h>

#include <cerrno>

namespace headrace::sys {

Result<void> ficlonerange(DescriptorRef source, Bytes offset, DescriptorRef destination,
                          Bytes destination_offset, Bytes bytes) {
  const file_clone_range range{.src_fd = source.number(),
                               .src_offset = offset,
                               .src_length = bytes,
                               .dest_offset = destination_offset};
  const int answer = ::ioctl(destination.number(), FICLONERANGE, &range);
  if (answer < 0) return fail("ioctl(FICLONERANGE)", errno);
  if (answer > 0) return fail("ioctl(FICLONERANGE)", EOVERFLOW);  // 0 is its only success
  return {};
}

}  // namespace headrace::sys
