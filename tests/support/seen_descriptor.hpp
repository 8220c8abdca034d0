#pragma once

#include <sys/types.h>

#include <string>

#include "support/deny.hpp"

namespace headrace::testing {

/// What another process's descriptor leads to, as /proc says it: "/a/path", "socket:[7]",
/// "pipe:[8]"; empty where there is none.
std::string seen_descriptor(pid_t process, int descriptor);

/// Whether that is of the kind, and `path` itself or inside it. Files without a name any more are
/// inside the folder that they were made in.
bool is_meant(const std::string& seen, On kind, const std::string& path);

}  // namespace headrace::testing
