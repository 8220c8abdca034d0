#pragma once

#include <sys/syscall.h>
#include <unistd.h>

namespace headrace::testing {

// glibc 2.36 declares these two without extern "C", so that C++ cannot link them.
inline int pidfd_open(pid_t process) {
  return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
}
inline int pidfd_getfd(int handle, int descriptor) {
  return static_cast<int>(::syscall(SYS_pidfd_getfd, handle, descriptor, 0));
}

}  // namespace headrace::testing
