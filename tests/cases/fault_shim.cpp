// A library to be preloaded: makes calls short or refuses them, as the environment says.
//   FAULT_CAP=N      no call moves more than N bytes
//   FAULT_CALL=NAME  this call fails with errno FAULT_ERRNO, once FAULT_AFTER of them were let
//   through
// Standard error is left alone, so that the program can still say what happened.
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace {

// Read when the first call comes, before the program has threads.
// NOLINTBEGIN(concurrency-mt-unsafe)
long number(const char* name, long otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtol(text, nullptr, 10);
}

struct Fault {
  std::size_t cap = static_cast<std::size_t>(number("FAULT_CAP", std::numeric_limits<long>::max()));
  std::string_view call = std::getenv("FAULT_CALL") == nullptr ? "" : std::getenv("FAULT_CALL");
  int error = static_cast<int>(number("FAULT_ERRNO", 0));
  std::atomic<long> let_through{number("FAULT_AFTER", 0)};
};
// NOLINTEND(concurrency-mt-unsafe)

Fault& fault() {
  static Fault wished;
  return wished;
}

// True: errno is set and the call must not be made.
bool refused(std::string_view call) {
  if (fault().call != call || fault().let_through > 0) return false;
  errno = fault().error;
  return true;
}

// Gives `result` back; only calls that moved something count, so that waiting changes nothing.
ssize_t counted(std::string_view call, ssize_t result) {
  if (result > 0 && fault().call == call) --fault().let_through;
  return result;
}

std::size_t capped(std::size_t bytes) { return std::min(bytes, fault().cap); }

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

// The first bytes of a vector: one piece, no longer than the cap.
iovec first_piece(const iovec* pieces) {
  return {.iov_base = pieces->iov_base, .iov_len = capped(pieces->iov_len)};
}

bool single(int count) { return count == 1; }

}  // namespace

// libc names its parameters in its own way.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

ssize_t sendfile(int to, int from, off_t* offset, size_t bytes) noexcept {
  static const auto call = real<ssize_t (*)(int, int, off_t*, size_t)>("sendfile");
  return refused("sendfile") ? -1 : counted("sendfile", call(to, from, offset, capped(bytes)));
}
ssize_t sendfile64(int to, int from, off64_t* offset, size_t bytes) noexcept {
  return sendfile(to, from, offset, bytes);
}

ssize_t copy_file_range(int from, off64_t* from_offset, int to, off64_t* to_offset, size_t bytes,
                        unsigned flags) {
  static const auto call =
      real<ssize_t (*)(int, off64_t*, int, off64_t*, size_t, unsigned)>("copy_file_range");
  if (refused("copy_file_range")) return -1;
  return counted("copy_file_range", call(from, from_offset, to, to_offset, capped(bytes), flags));
}

ssize_t splice(int from, off64_t* from_offset, int to, off64_t* to_offset, size_t bytes,
               unsigned flags) {
  static const auto call =
      real<ssize_t (*)(int, off64_t*, int, off64_t*, size_t, unsigned)>("splice");
  if (refused("splice")) return -1;
  return counted("splice", call(from, from_offset, to, to_offset, capped(bytes), flags));
}

int ioctl(int file, unsigned long request, ...) noexcept {
  static const auto call = real<int (*)(int, unsigned long, void*)>("ioctl");
  va_list rest;
  va_start(rest, request);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return refused("ioctl") ? -1 : call(file, request, argument);
}

ssize_t read(int file, void* buffer, size_t bytes) {
  static const auto call = real<ssize_t (*)(int, void*, size_t)>("read");
  return refused("read") ? -1 : counted("read", call(file, buffer, capped(bytes)));
}

ssize_t pread(int file, void* buffer, size_t bytes, off_t offset) {
  static const auto call = real<ssize_t (*)(int, void*, size_t, off_t)>("pread");
  return refused("pread") ? -1 : counted("pread", call(file, buffer, capped(bytes), offset));
}
ssize_t pread64(int file, void* buffer, size_t bytes, off64_t offset) {
  return pread(file, buffer, bytes, offset);
}

ssize_t write(int file, const void* buffer, size_t bytes) {
  static const auto call = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (file == STDERR_FILENO) return call(file, buffer, bytes);
  return refused("write") ? -1 : counted("write", call(file, buffer, capped(bytes)));
}

ssize_t preadv2(int file, const iovec* pieces, int count, off_t offset, int flags) {
  static const auto call = real<ssize_t (*)(int, const iovec*, int, off_t, int)>("preadv2");
  if (refused("preadv2")) return -1;
  if (!single(count)) return call(file, pieces, count, offset, flags);
  const iovec piece = first_piece(pieces);
  return counted("preadv2", call(file, &piece, 1, offset, flags));
}
ssize_t preadv64v2(int file, const iovec* pieces, int count, off64_t offset, int flags) {
  return preadv2(file, pieces, count, offset, flags);
}

ssize_t pwritev2(int file, const iovec* pieces, int count, off_t offset, int flags) {
  static const auto call = real<ssize_t (*)(int, const iovec*, int, off_t, int)>("pwritev2");
  if (refused("pwritev2")) return -1;
  if (!single(count)) return call(file, pieces, count, offset, flags);
  const iovec piece = first_piece(pieces);
  return counted("pwritev2", call(file, &piece, 1, offset, flags));
}
ssize_t pwritev64v2(int file, const iovec* pieces, int count, off64_t offset, int flags) {
  return pwritev2(file, pieces, count, offset, flags);
}

ssize_t recv(int socket, void* buffer, size_t bytes, int flags) {
  static const auto call = real<ssize_t (*)(int, void*, size_t, int)>("recv");
  return refused("recv") ? -1 : counted("recv", call(socket, buffer, capped(bytes), flags));
}

ssize_t send(int socket, const void* buffer, size_t bytes, int flags) {
  static const auto call = real<ssize_t (*)(int, const void*, size_t, int)>("send");
  return refused("send") ? -1 : counted("send", call(socket, buffer, capped(bytes), flags));
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
