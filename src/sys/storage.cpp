#include "sys/storage.hpp"

#include <fcntl.h>
#include <sys/file.h>
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

Result<void> flock(DescriptorRef file, int operation) {
  if (::flock(file.number(), operation) != 0) return fail("flock", errno);
  return {};
}

}  // namespace headrace::sys
