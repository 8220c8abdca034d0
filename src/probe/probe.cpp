#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

#include "headrace/facts.hpp"
#include "probe/file_system.hpp"
#include "probe/socket_facts.hpp"
#include "sys/files.hpp"
#include "sys/pipe.hpp"

namespace headrace {
namespace {

Kind character_kind(DescriptorRef descriptor, dev_t device) {
  // Documentation/admin-guide/devices.txt: character major 1 is memory, 3 null, 5 zero.
  if (device == makedev(1, 3)) return Kind::null_device;
  if (device == makedev(1, 5)) return Kind::zero_device;
  return ::isatty(descriptor.number()) == 1 ? Kind::terminal : Kind::character_device;
}

Kind kind_of(DescriptorRef descriptor, const struct stat& status) {
  switch (status.st_mode & S_IFMT) {
    case S_IFREG:
      return Kind::regular;
    case S_IFDIR:
      return Kind::directory;
    case S_IFIFO:
      return Kind::pipe;
    case S_IFSOCK:
      return Kind::socket;
    case S_IFBLK:
      return Kind::block_device;
    case S_IFCHR:
      return character_kind(descriptor, status.st_rdev);
    default:
      return Kind::other;
  }
}

void learn_file_system(DescriptorRef descriptor, Facts& facts) {
  const FileSystem found = file_system_holding(descriptor);
  facts.file_system = found.name;
  facts.pseudo = found.pseudo;
  facts.may_clone = found.may_clone;
}

void learn_position(DescriptorRef descriptor, Facts& facts) {
  const auto position = sys::lseek(descriptor, 0, SEEK_CUR);
  facts.seekable = position.has_value();
  facts.position = position.value_or(0);
}

// st_blocks counts in these, whatever the file system's blocks are (stat(3type)).
constexpr Bytes block_unit = 512;

// Only a memfd answers: EINVAL for all other files (fcntl(2), File Sealing).
bool is_sealed(DescriptorRef descriptor) {
  constexpr int fixed = F_SEAL_WRITE | F_SEAL_SHRINK;
  const int seals = ::fcntl(descriptor.number(), F_GET_SEALS);
  return seals >= 0 && (seals & fixed) == fixed;
}

Bytes block_device_size(DescriptorRef descriptor) {
  std::uint64_t size = 0;
  return ::ioctl(descriptor.number(), BLKGETSIZE64, &size) == 0 ? size : 0;
}

}  // namespace

Result<Facts> probe(DescriptorRef descriptor, std::string name) {
  const auto found = sys::fstat(descriptor);
  if (!found) return std::unexpected(found.error());
  const struct stat& status = *found;
  const int flags = ::fcntl(descriptor.number(), F_GETFL);
  if (flags < 0) return fail("fcntl", errno);

  Facts facts;
  facts.kind = kind_of(descriptor, status);
  facts.name = std::move(name);
  facts.readable = (flags & O_ACCMODE) != O_WRONLY;
  facts.writable = (flags & O_ACCMODE) != O_RDONLY;
  facts.appends = (flags & O_APPEND) != 0;
  facts.nonblocking = (flags & O_NONBLOCK) != 0;
  facts.device = status.st_dev;
  facts.inode = status.st_ino;
  if (facts.kind == Kind::regular) {
    facts.size = static_cast<Bytes>(status.st_size);
    facts.allocated = static_cast<Bytes>(status.st_blocks) * block_unit;
  }
  if (facts.kind == Kind::block_device) facts.size = block_device_size(descriptor);
  if (facts.kind == Kind::regular) learn_file_system(descriptor, facts);
  if (facts.file_system == "tmpfs") facts.sealed = is_sealed(descriptor);  // a memfd lies there
  if (is_file(facts.kind)) learn_position(descriptor, facts);
  if (facts.kind == Kind::pipe) facts.pipe_capacity = sys::pipe_capacity(descriptor).value_or(0);
  if (facts.kind == Kind::socket) learn_socket(descriptor, facts);
  return facts;
}

}  // namespace headrace
