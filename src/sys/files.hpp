#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <time.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

// Names and attributes of files; the calls that move their bytes stand elsewhere.
namespace headrace::sys {

/// Stands for a directory descriptor: relative names start at the working directory.
inline constexpr DescriptorRef working_directory{AT_FDCWD};

/// Last access and last modification, in the order of futimens(2).
using Times = std::array<struct timespec, 2>;

Result<Descriptor> openat(DescriptorRef directory, const std::string& name, int flags,
                          mode_t mode = 0);
Result<struct stat> fstat(DescriptorRef file);
Result<struct stat> fstatat(DescriptorRef directory, const std::string& name, int flags);
Result<struct statx> statx(DescriptorRef directory, const std::string& name, int flags,
                           unsigned int mask);
Result<struct statfs> fstatfs(DescriptorRef file);
Result<std::string> readlinkat(DescriptorRef directory, const std::string& name);
/// Success when the access asked for (R_OK, W_OK, X_OK) would be granted.
Result<void> faccessat(DescriptorRef directory, const std::string& name, int access, int flags);

Result<void> linkat(DescriptorRef old_directory, const std::string& old_name,
                    DescriptorRef new_directory, const std::string& new_name, int flags);
Result<void> renameat(DescriptorRef old_directory, const std::string& old_name,
                      DescriptorRef new_directory, const std::string& new_name);
Result<void> unlinkat(DescriptorRef directory, const std::string& name, int flags);

Result<void> fchown(DescriptorRef file, uid_t owner, gid_t group);
Result<void> fchmod(DescriptorRef file, mode_t mode);
Result<void> futimens(DescriptorRef file, const Times& times);
Result<void> ftruncate(DescriptorRef file, Bytes size);
/// `mode` as in fallocate(2), e.g. FALLOC_FL_KEEP_SIZE.
Result<void> fallocate(DescriptorRef file, int mode, Bytes offset, Bytes length);
/// `offset` is signed because SEEK_CUR and SEEK_END may go back.
Result<Bytes> lseek(DescriptorRef file, std::int64_t offset, int whence);
/// fcntl(2) F_DUPFD_CLOEXEC: a second descriptor for the same open file.
Result<Descriptor> duplicate(DescriptorRef file);

/// The effective capabilities of the calling thread, one bit for each CAP_ number.
Result<std::uint64_t> capget();

Result<std::size_t> getrandom(std::span<unsigned char> bytes, unsigned int flags);

}  // namespace headrace::sys
