#pragma once

#include <sys/resource.h>

#include "headrace/result.hpp"

// What the process may use: `resource` is RLIMIT_NOFILE...
namespace headrace::sys {

Result<rlimit> getrlimit(int resource);
Result<void> setrlimit(int resource, const rlimit& limit);

}  // namespace headrace::sys
