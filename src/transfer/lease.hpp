#pragma once

#include <string_view>

#include "headrace/descriptor.hpp"

namespace headrace {

/// A read lease on a regular file: whoever opens it for writing, or truncates it, waits until the
/// lease is given back, at most /proc/sys/fs/lease-break-time seconds.
///
/// To have it means that nobody had the file open for writing, or mapped so, when it was taken.
/// It is held by an open file description of our own, so the descriptor it is taken for stays as
/// it is. No signal is sent when it is broken: it has to be looked at. (Between two calls of
/// `take` a break would send SIGURG, which by default is ignored, where the kernel's own choice,
/// SIGIO, ends the process.) It is not taken where this process may hold fcntl(2) record locks on
/// the file, since closing our description would drop them.
///
/// Errors: EAGAIN: open for writing; EACCES: another user's file, and no CAP_LEASE; EINVAL: the
/// file system has no leases; ENOENT: no /proc; EBUSY: record locks.
class Lease {
 public:
  enum class State {
    held,
    wanted_back,  ///< somebody waits for it, or waited until the kernel took it away
  };

  static Result<Lease> take(DescriptorRef file);
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease();

  /// One fcntl(2).
  [[nodiscard]] State look() const;
  /// Lets those who wait go on.
  void give_back();

 private:
  explicit Lease(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;  // none: given back
};

/// The file system's leases see every change: it is changed through this kernel's inode alone, so
/// not by another machine (nfs), a server process (fuse) or through another inode (overlay).
bool has_telling_leases(std::string_view file_system);

/// The first store to a page through a mapping moves mtime, also where the page was read before.
/// On tmpfs only a store that faults does, and after a read none has to.
bool stamps_mapped_stores(std::string_view file_system);

}  // namespace headrace
