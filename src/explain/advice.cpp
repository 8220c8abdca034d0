#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "headrace/explain.hpp"

namespace headrace {
namespace {

struct Case {
  const Error& error;
  const Facts& source;
  const Facts& destination;
};

struct Row {
  int number;
  std::string_view call;      // empty: any
  bool (*when)(const Case&);  // null: always
  std::string_view text;
};

bool reading(const Case& now) {
  constexpr std::array<std::string_view, 5> calls{"read", "pread", "readv", "preadv", "recv"};
  return std::ranges::find(calls, now.error.call) != std::end(calls);
}
bool into_tmpfs(const Case& now) { return now.destination.file_system == "tmpfs"; }
bool into_fat(const Case& now) {
  constexpr std::array<std::string_view, 3> names{"vfat", "msdos", "fat"};
  return std::ranges::find(names, now.destination.file_system) != std::end(names);
}
bool into_socket(const Case& now) { return is_socket(now.destination.kind); }
bool from_directory(const Case& now) { return now.source.kind == Kind::directory; }

// The first row that fits is the advice: special cases stand above the general one.
constexpr auto rows = std::to_array<Row>({
    {ENOSPC, "", into_tmpfs,
     "this tmpfs is full: free space in it or remount it with a larger size="},
    {ENOSPC, "", nullptr, "free space (or inodes: df -i) on the destination's file system"},
    {EDQUOT, "", nullptr, "the disk quota is used up: free space or ask for a larger quota"},
    {EFBIG, "", into_fat, "FAT holds files below 4 GiB only: choose another file system"},
    {EFBIG, "", nullptr, "raise the file-size limit (ulimit -f), or the file system's is reached"},
    {EACCES, "bind", nullptr, "ports below 1024 need CAP_NET_BIND_SERVICE: choose a higher one"},
    {EACCES, "connect", nullptr, "connecting needs write permission on the socket's path"},
    {EACCES, "", nullptr, "check the permissions of the file and of every directory above it"},
    {EPERM, "setsockopt", nullptr,
     "this value needs a privilege; /proc/sys/net/ipv4/tcp_allowed_congestion_control lists the "
     "congestion controls that are free to all"},
    {EPERM, "", nullptr,
     "the kernel or a sandbox forbids it: check lsattr and the seccomp profile"},
    {EROFS, "", nullptr, "the destination's file system is mounted read-only"},
    {ENOENT, "setsockopt", nullptr,
     "this congestion control is not loaded: see "
     "/proc/sys/net/ipv4/tcp_available_congestion_control"},
    {ENOENT, "connect", nullptr, "no socket at this path: start the receiver first"},
    {ENOENT, "", nullptr, "check the path: the file, or a directory above it, does not exist"},
    {ENOTDIR, "", nullptr, "check the path: a part of it is not a directory"},
    {EISDIR, "", from_directory, "directories are not copied: name a file"},
    {EISDIR, "", nullptr, "the destination is a directory: name a file in it"},
    {EEXIST, "", nullptr, "something of this name is there already: remove it or choose another"},
    {ELOOP, "", nullptr, "the symbolic links of this path lead in a circle"},
    {ENAMETOOLONG, "", nullptr, "choose a shorter name"},
    {EXDEV, "", nullptr, "the two ends are on different file systems"},
    {EBUSY, "", nullptr, "it is in use (mounted?): release it or use --in-place"},
    {EPIPE, "", into_socket, "the peer stopped receiving before everything was sent"},
    {EPIPE, "", nullptr, "the reader went away before everything was written"},
    {ECONNRESET, "", nullptr, "the peer broke off the connection: look at its log"},
    {ECONNABORTED, "", nullptr, "the peer gave up before it was accepted: try again"},
    {ECONNREFUSED, "", nullptr, "nothing listens there: start the receiver first, check the port"},
    {EHOSTUNREACH, "", nullptr, "no route to that host: check the address and the network"},
    {ENETUNREACH, "", nullptr, "no route to that network: check the address family and the routes"},
    {ETIMEDOUT, "connect", nullptr, "the host does not answer: check the address and the firewall"},
    {ETIMEDOUT, "", nullptr,
     "the other end fell silent: see what it does, or raise --idle-timeout"},
    {EADDRINUSE, "", nullptr, "another program listens there: stop it or choose another address"},
    {EADDRNOTAVAIL, "", nullptr, "this address is not one of this machine's"},
    {EAFNOSUPPORT, "", nullptr, "this machine has no such address family (IPv6 switched off?)"},
    {EMFILE, "", nullptr, "raise the limit of open files (ulimit -n)"},
    {ENFILE, "", nullptr, "the whole system is out of open files: raise fs.file-max"},
    {ENOMEM, "", nullptr, "the kernel is out of memory for this: free some or raise the limit"},
    {ENOBUFS, "", nullptr,
     "the kernel is out of socket buffers: try again or use a smaller --window"},
    {EIO, "", reading, "the source's device reports an error: see dmesg"},
    {EIO, "", nullptr, "the device reports an error: see dmesg, and do not trust what was written"},
    {ETXTBSY, "", nullptr,
     "the file is a program that runs: stop it or write beside it and rename"},
    {ENXIO, "", nullptr,
     "nobody is at the other end: a FIFO without a reader, or a missing device"},
    {ENODEV, "", nullptr, "there is no device behind this name: is its driver loaded?"},
    {ENOTCONN, "", nullptr, "the connection is gone"},
    {ESTALE, "mmap", nullptr, "somebody else made the mapped file shorter meanwhile"},
    {EOVERFLOW, "", nullptr, "the size or offset does not fit this file"},
    {EBADF, "", nullptr, "this end is not open for what was asked: check how it was opened"},
});

}  // namespace

std::string advice(const Error& error, const Facts& source, const Facts& destination) {
  const bool is_errno = error.code.category() == std::system_category() ||
                        error.code.category() == std::generic_category();
  if (!is_errno) return "";
  const Case now{error, source, destination};
  // "setsockopt(TCP_CONGESTION)" is a setsockopt.
  const std::string_view call = error.call.substr(0, error.call.find('('));
  const auto* const row = std::ranges::find_if(rows, [&](const Row& candidate) {
    return candidate.number == error.code.value() &&
           (candidate.call.empty() || candidate.call == call) &&
           (candidate.when == nullptr || candidate.when(now));
  });
  return row == std::end(rows) ? "" : std::string(row->text);
}

}  // namespace headrace
