// A library to be preloaded: writes every call that moves bytes or waits into the file
// CALL_LOG_FILE, in the form of `strace -f -y -s 0`. It costs a fifth of strace under an emulated
// kernel; a program that went past libc would not be seen, which strace shows on this machine's own
// kernel.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

constexpr int other = -2;             // an argument that is no descriptor
constexpr int above_the_tools = 500;  // the log's own number, out of the program's way

int open_log() {
  const char* const path = std::getenv("CALL_LOG_FILE");  // NOLINT(concurrency-mt-unsafe): at start
  const int file =
      path == nullptr ? -1 : ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  const int high = ::fcntl(file, F_DUPFD_CLOEXEC, above_the_tools);
  ::close(file);
  return high;
}

const int log_file = open_log();

// "</a/path>", with the end of the name and what would begin an escape written as strace does.
std::string name_of(int descriptor) {
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  std::array<char, 4096> target{};
  const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
  if (size < 0) return {};
  std::string_view name(target.data(), static_cast<std::size_t>(size));
  constexpr std::string_view gone = " (deleted)";
  if (name.ends_with(gone)) name.remove_suffix(gone.size());
  std::string written = "<";
  for (const char letter : name) {
    if (letter == '>') {
      written += "\\76";
    } else if (letter == '\\') {
      written += "\\134";
    } else {
      written += letter;
    }
  }
  return written + ">";
}

std::string argument(int descriptor) {
  return descriptor == other ? "0" : std::to_string(descriptor) + name_of(descriptor);
}

void write_line(std::string_view call, const std::string& arguments, long result, int error) {
  std::string line = std::to_string(::gettid()) + " ";
  line.append(call).append("(").append(arguments).append(") = ").append(std::to_string(result));
  if (result < 0) line.append(" ").append(::strerrorname_np(error)).append(" (as libc says)");
  line += '\n';
  ::syscall(SYS_write, log_file, line.data(), line.size());
}

// Writes the call down and gives its result back, errno as it was.
template <class Integer>
Integer told(std::string_view call, std::initializer_list<int> descriptors, Integer result) {
  if (log_file < 0) return result;
  const int error = errno;
  std::string arguments;
  for (const int descriptor : descriptors) {
    if (!arguments.empty()) arguments += ", ";
    arguments += argument(descriptor);
  }
  write_line(call, arguments, static_cast<long>(result), error);
  errno = error;
  return result;
}

int told_clone(int destination, unsigned long request, const void* given, int result) {
  const int error = errno;
  const bool whole = request == FICLONE;
  const int source = whole ? static_cast<int>(reinterpret_cast<std::intptr_t>(given))
                           : static_cast<int>(static_cast<const file_clone_range*>(given)->src_fd);
  const std::string end = argument(source);
  write_line("ioctl",
             argument(destination) +
                 (whole ? ", FICLONE, " + end : ", FICLONERANGE, {src_fd=" + end + "}"),
             result, error);
  errno = error;
  return result;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// libc names its parameters in its own way.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

ssize_t read(int file, void* buffer, size_t bytes) {
  static auto* const call = real<ssize_t(int, void*, size_t)>("read");
  return told("read", {file}, call(file, buffer, bytes));
}

ssize_t write(int file, const void* buffer, size_t bytes) {
  static auto* const call = real<ssize_t(int, const void*, size_t)>("write");
  return told("write", {file}, call(file, buffer, bytes));
}

ssize_t pread(int file, void* buffer, size_t bytes, off_t offset) {
  static auto* const call = real<ssize_t(int, void*, size_t, off_t)>("pread");
  return told("pread64", {file}, call(file, buffer, bytes, offset));
}
ssize_t pread64(int file, void* buffer, size_t bytes, off64_t offset) {
  return pread(file, buffer, bytes, offset);
}

ssize_t pwrite(int file, const void* buffer, size_t bytes, off_t offset) {
  static auto* const call = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return told("pwrite64", {file}, call(file, buffer, bytes, offset));
}
ssize_t pwrite64(int file, const void* buffer, size_t bytes, off64_t offset) {
  return pwrite(file, buffer, bytes, offset);
}

ssize_t readv(int file, const iovec* pieces, int count) {
  static auto* const call = real<ssize_t(int, const iovec*, int)>("readv");
  return told("readv", {file}, call(file, pieces, count));
}

ssize_t writev(int file, const iovec* pieces, int count) {
  static auto* const call = real<ssize_t(int, const iovec*, int)>("writev");
  return told("writev", {file}, call(file, pieces, count));
}

ssize_t preadv(int file, const iovec* pieces, int count, off_t offset) {
  static auto* const call = real<ssize_t(int, const iovec*, int, off_t)>("preadv");
  return told("preadv", {file}, call(file, pieces, count, offset));
}
ssize_t preadv64(int file, const iovec* pieces, int count, off64_t offset) {
  return preadv(file, pieces, count, offset);
}

ssize_t pwritev(int file, const iovec* pieces, int count, off_t offset) {
  static auto* const call = real<ssize_t(int, const iovec*, int, off_t)>("pwritev");
  return told("pwritev", {file}, call(file, pieces, count, offset));
}
ssize_t pwritev64(int file, const iovec* pieces, int count, off64_t offset) {
  return pwritev(file, pieces, count, offset);
}

ssize_t preadv2(int file, const iovec* pieces, int count, off_t offset, int flags) {
  static auto* const call = real<ssize_t(int, const iovec*, int, off_t, int)>("preadv2");
  return told("preadv2", {file}, call(file, pieces, count, offset, flags));
}
ssize_t preadv64v2(int file, const iovec* pieces, int count, off64_t offset, int flags) {
  return preadv2(file, pieces, count, offset, flags);
}

ssize_t pwritev2(int file, const iovec* pieces, int count, off_t offset, int flags) {
  static auto* const call = real<ssize_t(int, const iovec*, int, off_t, int)>("pwritev2");
  return told("pwritev2", {file}, call(file, pieces, count, offset, flags));
}
ssize_t pwritev64v2(int file, const iovec* pieces, int count, off64_t offset, int flags) {
  return pwritev2(file, pieces, count, offset, flags);
}

ssize_t recv(int socket, void* buffer, size_t bytes, int flags) {
  static auto* const call = real<ssize_t(int, void*, size_t, int)>("recv");
  return told("recvfrom", {socket}, call(socket, buffer, bytes, flags));
}

ssize_t recvmsg(int socket, msghdr* message, int flags) {
  static auto* const call = real<ssize_t(int, msghdr*, int)>("recvmsg");
  if ((flags & MSG_ERRQUEUE) != 0) return call(socket, message, flags);  // no byte of the stream
  return told("recvmsg", {socket}, call(socket, message, flags));
}

ssize_t send(int socket, const void* buffer, size_t bytes, int flags) {
  static auto* const call = real<ssize_t(int, const void*, size_t, int)>("send");
  return told("sendto", {socket}, call(socket, buffer, bytes, flags));
}

ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  static auto* const call = real<ssize_t(int, const msghdr*, int)>("sendmsg");
  return told("sendmsg", {socket}, call(socket, message, flags));
}

ssize_t sendfile(int to, int from, off_t* offset, size_t bytes) noexcept {
  static auto* const call = real<ssize_t(int, int, off_t*, size_t)>("sendfile");
  return told("sendfile", {to, from}, call(to, from, offset, bytes));
}
ssize_t sendfile64(int to, int from, off64_t* offset, size_t bytes) noexcept {
  return sendfile(to, from, offset, bytes);
}

ssize_t copy_file_range(int from, off64_t* from_offset, int to, off64_t* to_offset, size_t bytes,
                        unsigned flags) {
  static auto* const call =
      real<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>("copy_file_range");
  return told("copy_file_range", {from, other, to},
              call(from, from_offset, to, to_offset, bytes, flags));
}

ssize_t splice(int from, off64_t* from_offset, int to, off64_t* to_offset, size_t bytes,
               unsigned flags) {
  static auto* const call = real<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>("splice");
  return told("splice", {from, other, to}, call(from, from_offset, to, to_offset, bytes, flags));
}

ssize_t vmsplice(int pipe, const iovec* pieces, size_t count, unsigned flags) {
  static auto* const call = real<ssize_t(int, const iovec*, size_t, unsigned)>("vmsplice");
  return told("vmsplice", {pipe}, call(pipe, pieces, count, flags));
}

ssize_t tee(int from, int to, size_t bytes, unsigned flags) {
  static auto* const call = real<ssize_t(int, int, size_t, unsigned)>("tee");
  return told("tee", {from, to}, call(from, to, bytes, flags));
}

int ioctl(int file, unsigned long request, ...) noexcept {
  static auto* const call = real<int(int, unsigned long, void*)>("ioctl");
  va_list rest;
  va_start(rest, request);
  void* const given = va_arg(rest, void*);
  va_end(rest);
  const int result = call(file, request, given);
  if (log_file < 0 || (request != FICLONE && request != FICLONERANGE)) return result;
  return told_clone(file, request, given, result);
}

int poll(pollfd* ends, nfds_t count, int timeout) {
  static auto* const call = real<int(pollfd*, nfds_t, int)>("poll");
  return told("poll", {}, call(ends, count, timeout));
}

int ppoll(pollfd* ends, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  static auto* const call = real<int(pollfd*, nfds_t, const timespec*, const sigset_t*)>("ppoll");
  return told("ppoll", {}, call(ends, count, timeout, mask));
}

int select(int most, fd_set* readable, fd_set* writable, fd_set* urgent, timeval* timeout) {
  static auto* const call = real<int(int, fd_set*, fd_set*, fd_set*, timeval*)>("select");
  return told("select", {}, call(most, readable, writable, urgent, timeout));
}

int pselect(int most, fd_set* readable, fd_set* writable, fd_set* urgent, const timespec* timeout,
            const sigset_t* mask) {
  static auto* const call =
      real<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)>("pselect");
  return told("pselect6", {}, call(most, readable, writable, urgent, timeout, mask));
}

int epoll_pwait(int set, epoll_event* events, int most, int timeout, const sigset_t* mask) {
  static auto* const call = real<int(int, epoll_event*, int, int, const sigset_t*)>("epoll_pwait");
  return told("epoll_pwait", {}, call(set, events, most, timeout, mask));
}

int epoll_wait(int set, epoll_event* events, int most, int timeout) {
  static auto* const call = real<int(int, epoll_event*, int, int)>("epoll_wait");
  return told("epoll_wait", {}, call(set, events, most, timeout));
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  static auto* const call =
      real<int(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  return told("clock_nanosleep", {}, call(clock, flags, time, rest));
}

int nanosleep(const timespec* time, timespec* rest) {
  static auto* const call = real<int(const timespec*, timespec*)>("nanosleep");
  return told("nanosleep", {}, call(time, rest));
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
