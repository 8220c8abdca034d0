#include "sys/lease.hpp"

#include <fcntl.h>

#include <cerrno>

namespace headrace::sys {
namespace {

Result<void> done(int answer) {
  if (answer < 0) return fail("fcntl", errno);
  return {};
}

}  // namespace

Result<void> set_lease(DescriptorRef file, int type) {
  return done(::fcntl(file.number(), F_SETLEASE, type));
}

Result<int> get_lease(DescriptorRef file) {
  const int type = ::fcntl(file.number(), F_GETLEASE);
  if (type < 0) return fail("fcntl", errno);
  return type;
}

Result<void> set_signal(DescriptorRef file, int signal) {
  return done(::fcntl(file.number(), F_SETSIG, signal));
}

Result<void> set_owner(DescriptorRef file, pid_t owner) {
  return done(::fcntl(file.number(), F_SETOWN, owner));
}

Result<bool> has_record_lock(DescriptorRef file) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (::fcntl(file.number(), F_OFD_GETLK, &lock) < 0) return fail("fcntl", errno);
  return lock.l_type != F_UNLCK;
}

}  // namespace headrace::sys
