#include "sys/openat2.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace headrace::sys {

Result<Descriptor> openat2(DescriptorRef directory, const std::string& name, const open_how& how) {
  const long number = ::syscall(SYS_openat2, directory.number(), name.c_str(), &how, sizeof how);
  if (number < 0) return fail("openat2", errno);
  return Descriptor{static_cast<int>(number)};
}

}  // namespace headrace::sys
