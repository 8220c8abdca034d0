#include "transfer/reopen.hpp"

#include <fcntl.h>

#include <cerrno>
#include <string>

#include "sys/files.hpp"
#include "sys/lease.hpp"

namespace headrace {

Result<Descriptor> reopen(DescriptorRef file) {
  const auto locked = sys::has_record_lock(file);
  if (!locked) return std::unexpected(locked.error());
  if (*locked) return fail("fcntl", EBUSY);
  const std::string name = "/proc/self/fd/" + std::to_string(file.number());
  auto again =
      sys::openat(sys::working_directory, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (!again) return again;
  const auto one = sys::fstat(file);
  const auto other = sys::fstat(again->ref());
  if (!one || !other || one->st_dev != other->st_dev || one->st_ino != other->st_ino) {
    return fail("open", ESTALE);
  }
  return again;
}

}  // namespace headrace
