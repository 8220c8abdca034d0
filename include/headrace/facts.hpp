#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace {

/// What a descriptor is, as far as moving bytes is concerned.
enum class Kind {
  regular,
  directory,
  pipe,  ///< FIFO or anonymous pipe
  tcp,
  unix_stream,
  socket,  ///< any other socket
  terminal,
  null_device,  ///< /dev/null
  zero_device,  ///< /dev/zero
  character_device,
  block_device,
  other,
};

/// Stable word for a kind: "regular-file", "pipe", "tcp", "unix-stream", "null-device"...
std::string_view name_of(Kind kind);

constexpr bool is_socket(Kind kind) {
  return kind == Kind::tcp || kind == Kind::unix_stream || kind == Kind::socket;
}

/// A regular file or a block device: it has offsets, and a transfer can start again from one.
constexpr bool is_file(Kind kind) { return kind == Kind::regular || kind == Kind::block_device; }

/// What one end of a transfer is, asked once. Owns nothing, can be written by hand in a test.
///
/// Source of each field: fstat(2), fstatfs(2), fcntl(2) F_GETFL and F_GETPIPE_SZ, lseek(2),
/// getsockopt(2), getpeername(2). Sizes are bytes.
struct Facts {
  Kind kind = Kind::other;
  std::string name;       ///< as the user wrote it; only for messages
  bool readable = false;  ///< F_GETFL access mode
  bool writable = false;
  bool appends = false;      ///< O_APPEND is set now, wherever it came from
  bool nonblocking = false;  ///< O_NONBLOCK is set now
  bool seekable = false;     ///< a regular file or block device whose position can be asked and set
  bool pseudo = false;  ///< /proc, /sys...: the content is made when read, the size means nothing
  bool sealed = false;  ///< a memfd sealed against writing and shrinking: its bytes are fixed
  Bytes size = 0;       ///< regular files and block devices
  Bytes allocated = 0;  ///< regular files: st_blocks, as bytes; below `size` there may be holes
  Bytes position = 0;   ///< current offset, where seekable
  std::uint64_t device = 0;  ///< st_dev
  std::uint64_t inode = 0;   ///< st_ino
  std::string_view file_system =
      "";                   ///< "ext4", "xfs", "btrfs", "tmpfs", "proc"...; "" where there is none
  bool may_clone = false;   ///< the file system is not known to be without shared extents
  Bytes pipe_capacity = 0;  ///< pipes
  Bytes send_buffer = 0;    ///< sockets, as the kernel gives it (SO_SNDBUF counts double)
  Bytes receive_buffer = 0;
  std::string congestion;   ///< TCP: the congestion control in force
  bool peer_local = false;  ///< sockets: the peer is on this machine, so its queue holds our pages
};

/// The length is known before the first byte: a file whose size can be believed.
/// A size of 0 is never believed: only a read tells whether it is true.
constexpr bool size_is_known(const Facts& facts) {
  return (facts.kind == Kind::regular || facts.kind == Kind::block_device) && !facts.pseudo &&
         facts.size > 0;
}

/// Asks the kernel what `descriptor` is. `name` is only kept for messages.
/// Errors: fstat(2) or fcntl(2) failing, so a bad descriptor; everything else is optional
/// knowledge.
Result<Facts> probe(DescriptorRef descriptor, std::string name = {});

}  // namespace headrace
