#include "support/launcher/calls.hpp"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/syscall.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace headrace::testing {

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): the name of a call is the end of its number's name
#define PLAIN(name) \
  NamedCall { #name, SYS_##name }
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define REQUEST(name)                   \
  NamedCall {                           \
    #name, SYS_ioctl, Match { 1, name } \
  }

const std::vector<NamedCall>& known_calls() {
  static const std::vector<NamedCall> calls{
      PLAIN(read),       PLAIN(pread64),        PLAIN(readv),           PLAIN(preadv),
      PLAIN(preadv2),    PLAIN(recvfrom),       PLAIN(recvmsg),         PLAIN(write),
      PLAIN(pwrite64),   PLAIN(writev),         PLAIN(pwritev),         PLAIN(pwritev2),
      PLAIN(sendto),     PLAIN(sendmsg),        PLAIN(sendfile),        PLAIN(splice),
      PLAIN(tee),        PLAIN(vmsplice),       PLAIN(copy_file_range), PLAIN(ioctl),
      REQUEST(FICLONE),  REQUEST(FICLONERANGE), REQUEST(FS_IOC_FIEMAP), PLAIN(mmap),
      PLAIN(madvise),    PLAIN(msync),          PLAIN(fsync),           PLAIN(fdatasync),
      PLAIN(fallocate),  PLAIN(ftruncate),      PLAIN(fchmod),          PLAIN(fchown),
      PLAIN(fstat),      PLAIN(fcntl),          PLAIN(lseek),           PLAIN(close),
      PLAIN(renameat2),  PLAIN(renameat),       PLAIN(rename),          PLAIN(linkat),
      PLAIN(unlinkat),   PLAIN(shutdown),       PLAIN(connect),         PLAIN(accept4),
      PLAIN(setsockopt), PLAIN(pipe2),          PLAIN(memfd_create),    PLAIN(poll),
      PLAIN(ppoll),      PLAIN(fadvise64),      PLAIN(utimensat),       PLAIN(fsetxattr)};
  return calls;
}

#undef PLAIN
#undef REQUEST

const NamedCall* find_call(std::string_view name) {
  const auto found = std::ranges::find(known_calls(), name, &NamedCall::name);
  return found == known_calls().end() ? nullptr : &*found;
}

std::optional<int> errno_of(const std::string& name) {
  constexpr int most = 133;
  for (int number = 1; number <= most; ++number) {
    const char* const known = ::strerrorname_np(number);
    if (known != nullptr && known == name) return number;
  }
  int number = 0;
  const char* const end = name.c_str() + name.size();
  const auto parsed = std::from_chars(name.c_str(), end, number);
  const bool whole = parsed.ec == std::errc{} && parsed.ptr == end;
  return whole && number > 0 && number <= most ? std::optional{number} : std::nullopt;
}

}  // namespace headrace::testing
