#pragma once

#include <sys/utsname.h>
#include <time.h>

#include "headrace/result.hpp"

// What the kernel says of itself and of the time.
namespace headrace::sys {

Result<struct timespec> clock_gettime(clockid_t clock);
Result<struct utsname> uname();

}  // namespace headrace::sys
