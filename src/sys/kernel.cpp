#include "sys/kernel.hpp"

#include <cerrno>

namespace headrace::sys {

Result<struct timespec> clock_gettime(clockid_t clock) {
  struct timespec now{};
  if (::clock_gettime(clock, &now) != 0) return fail("clock_gettime", errno);
  return now;
}

Result<struct utsname> uname() {
  struct utsname names{};
  if (::uname(&names) != 0) return fail("uname", errno);
  return names;
}

}  // namespace headrace::sys
