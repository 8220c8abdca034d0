#include "sys/clone.hpp"

#include <linux/fs.h>
#include <sys/ioctl.h>

#include <cerrno>

namespace headrace::sys {

Result<void> ficlone(DescriptorRef source, DescriptorRef destination) {
  if (::ioctl(destination.number(), FICLONE, source.number()) < 0) {
    return fail("ioctl FICLONE", errno);
  }
  return {};
}

}  // namespace headrace::sys
