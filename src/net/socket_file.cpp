#include "net/socket_file.hpp"

#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "sys/files.hpp"

namespace headrace::net {
namespace {

Result<struct stat> status_of(const std::string& path) {
  return sys::fstatat(sys::working_directory, path, AT_SYMLINK_NOFOLLOW);
}

// A datagram socket asks, so that no listener is given a connection that is none.
bool refuses(const sys::SocketAddress& address) {
  const auto probe = sys::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (!probe) return false;
  const auto answer = sys::connect(probe->ref(), address);
  return !answer && answer.error().code == std::errc::connection_refused;
}

}  // namespace

SocketFile::SocketFile(std::string path, std::uint64_t device, std::uint64_t inode)
    : path_(std::move(path)), device_(device), inode_(inode) {}

Result<SocketFile> SocketFile::at(std::string path) {
  const auto status = status_of(path);
  if (!status) return std::unexpected(status.error());
  if (!S_ISSOCK(status->st_mode)) return fail("fstatat", ENOTSOCK);
  return SocketFile{std::move(path), status->st_dev, status->st_ino};
}

SocketFile::SocketFile(SocketFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), device_(other.device_), inode_(other.inode_) {}

SocketFile& SocketFile::operator=(SocketFile&& other) noexcept {
  if (this == &other) return *this;
  remove();
  path_ = std::exchange(other.path_, {});
  device_ = other.device_;
  inode_ = other.inode_;
  return *this;
}

SocketFile::~SocketFile() { remove(); }

bool SocketFile::is_there() const {
  if (path_.empty()) return false;
  const auto status = status_of(path_);
  return status && S_ISSOCK(status->st_mode) && status->st_dev == device_ &&
         status->st_ino == inode_;
}

void SocketFile::remove() {
  // Nothing can be done about a failure here, and nobody is left to be told.
  if (is_there()) static_cast<void>(sys::unlinkat(sys::working_directory, path_, 0));
  path_.clear();
}

bool remove_stale_socket(const std::string& path, const sys::SocketAddress& address) {
  auto file = SocketFile::at(path);
  if (!file) return false;
  if (refuses(address)) {
    file->remove();
    return true;
  }
  file->release();
  return false;
}

}  // namespace headrace::net
