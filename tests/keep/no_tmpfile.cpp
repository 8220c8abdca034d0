// A library to be preloaded: no file system has unnamed files (O_TMPFILE), as on NFS and others.
#include <dlfcn.h>
#include <fcntl.h>

#include <cerrno>
#include <cstdarg>

namespace {

using Open = int (*)(int, const char*, int, ...);

int open_unless_unnamed(const char* call, int directory, const char* name, int flags, mode_t mode) {
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return reinterpret_cast<Open>(::dlsym(RTLD_NEXT, call))(directory, name, flags, mode);
}

mode_t mode_in(int flags, va_list rest) {
  return (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : mode_t{0};
}

}  // namespace

// libc names its parameters in its own way.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int openat(int directory, const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_in(flags, rest);
  va_end(rest);
  return open_unless_unnamed("openat", directory, name, flags, mode);
}

int openat64(int directory, const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_in(flags, rest);
  va_end(rest);
  return open_unless_unnamed("openat64", directory, name, flags, mode);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
