#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "headrace/result.hpp"
#include "sys/socket.hpp"

namespace headrace::net {

/// The file a bound unix socket leaves in its folder; removed with its owner, if it is still the
/// same file (device and inode): somebody may have put another one there meanwhile.
class SocketFile {
 public:
  /// Remembers the file that is at `path` now.
  static Result<SocketFile> at(std::string path);
  SocketFile(SocketFile&& other) noexcept;
  SocketFile& operator=(SocketFile&& other) noexcept;
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;
  ~SocketFile();

  /// Is it still there, and still the same?
  [[nodiscard]] bool is_there() const;
  /// Removes it now, if it is still the same.
  void remove();
  /// Leaves the file alone from now on.
  void release() { path_.clear(); }

 private:
  SocketFile(std::string path, std::uint64_t device, std::uint64_t inode);

  std::string path_;  // empty: nothing to remove
  std::uint64_t device_;
  std::uint64_t inode_;
};

/// Removes the socket file at `path` if no socket is bound to it any more. Returns whether it did.
///
/// A bound stream socket is never disturbed: it sees no connection.
bool remove_stale_socket(const std::string& path, const sys::SocketAddress& address);

}  // namespace headrace::net
