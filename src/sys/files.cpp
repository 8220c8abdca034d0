#include "sys/files.hpp"

#include <linux/capability.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace headrace::sys {
namespace {

Result<void> done(std::string_view call, int answer) {
  if (answer != 0) return fail(call, errno);
  return {};
}

}  // namespace

Result<Descriptor> openat(DescriptorRef directory, const std::string& name, int flags,
                          mode_t mode) {
  const int number = ::openat(directory.number(), name.c_str(), flags, mode);
  if (number < 0) return fail("open", errno);
  return Descriptor{number};
}

Result<struct stat> fstat(DescriptorRef file) {
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) return fail("fstat", errno);
  return status;
}

Result<struct stat> fstatat(DescriptorRef directory, const std::string& name, int flags) {
  struct stat status{};
  if (::fstatat(directory.number(), name.c_str(), &status, flags) != 0) return fail("stat", errno);
  return status;
}

Result<struct statx> statx(DescriptorRef directory, const std::string& name, int flags,
                           unsigned int mask) {
  struct statx status{};
  if (::statx(directory.number(), name.c_str(), flags, mask, &status) != 0) {
    return fail("statx", errno);
  }
  return status;
}

Result<struct statfs> fstatfs(DescriptorRef file) {
  struct statfs status{};
  if (::fstatfs(file.number(), &status) != 0) return fail("fstatfs", errno);
  return status;
}

Result<std::string> readlinkat(DescriptorRef directory, const std::string& name) {
  std::string target(PATH_MAX, '\0');
  const ssize_t length =
      ::readlinkat(directory.number(), name.c_str(), target.data(), target.size());
  if (length < 0) return fail("readlink", errno);
  target.resize(static_cast<std::size_t>(length));
  return target;
}

Result<void> faccessat(DescriptorRef directory, const std::string& name, int access, int flags) {
  return done("faccessat", ::faccessat(directory.number(), name.c_str(), access, flags));
}

Result<void> linkat(DescriptorRef old_directory, const std::string& old_name,
                    DescriptorRef new_directory, const std::string& new_name, int flags) {
  return done("linkat", ::linkat(old_directory.number(), old_name.c_str(), new_directory.number(),
                                 new_name.c_str(), flags));
}

Result<void> renameat(DescriptorRef old_directory, const std::string& old_name,
                      DescriptorRef new_directory, const std::string& new_name) {
  return done("renameat", ::renameat(old_directory.number(), old_name.c_str(),
                                     new_directory.number(), new_name.c_str()));
}

Result<void> unlinkat(DescriptorRef directory, const std::string& name, int flags) {
  return done("unlinkat", ::unlinkat(directory.number(), name.c_str(), flags));
}

Result<void> fchown(DescriptorRef file, uid_t owner, gid_t group) {
  return done("fchown", ::fchown(file.number(), owner, group));
}

Result<void> fchmod(DescriptorRef file, mode_t mode) {
  return done("fchmod", ::fchmod(file.number(), mode));
}

Result<void> futimens(DescriptorRef file, const Times& times) {
  return done("futimens", ::futimens(file.number(), times.data()));
}

Result<void> ftruncate(DescriptorRef file, Bytes size) {
  return done("ftruncate", ::ftruncate(file.number(), static_cast<off_t>(size)));
}

Result<void> fallocate(DescriptorRef file, int mode, Bytes offset, Bytes length) {
  return done("fallocate", ::fallocate(file.number(), mode, static_cast<off_t>(offset),
                                       static_cast<off_t>(length)));
}

Result<Bytes> lseek(DescriptorRef file, std::int64_t offset, int whence) {
  const off_t position = ::lseek(file.number(), offset, whence);
  if (position < 0) return fail("lseek", errno);
  return static_cast<Bytes>(position);
}

Result<Descriptor> duplicate(DescriptorRef file) {
  const int number = ::fcntl(file.number(), F_DUPFD_CLOEXEC, 0);
  if (number < 0) return fail("fcntl", errno);
  return Descriptor{number};
}

Result<std::uint64_t> capget() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return fail("capget", errno);
  return (std::uint64_t{data[1].effective} << 32) | data[0].effective;
}

Result<std::size_t> getrandom(std::span<unsigned char> bytes, unsigned int flags) {
  const ssize_t filled = ::getrandom(bytes.data(), bytes.size(), flags);
  if (filled < 0) return fail("getrandom", errno);
  return static_cast<std::size_t>(filled);
}

}  // namespace headrace::sys
