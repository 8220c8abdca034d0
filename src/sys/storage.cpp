#include "sys/storage.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace headrace::sys {

Result<void> fsync(DescriptorRef file) {
  if (::fsync(file.number()) != 0) return fail("fsync", errno);
  return {};
}

Result<void> posix_fadvise(DescriptorRef file, Bytes offset, Bytes length, int advice) {
  // Answers with the errno instead of setting it.
  const int answer = ::posix_fadvise(file.number(), static_cast<off_t>(offset),
                                     static_cast<off_t>(length), advice);
  if (answer != 0) return fail("posix_fadvise", answer);
  return {};
}

Result<void> set_record_lock(DescriptorRef file, int type) {
  struct flock lock{};
  lock.l_type = static_cast<short>(type);
  lock.l_whence = SEEK_SET;
  if (::fcntl(file.number(), F_OFD_SETLK, &lock) < 0) return fail("fcntl", errno);
  return {};
}

}  // namespace headrace::sys
