#pragma once

#include <linux/openat2.h>

#include <string>

#include "headrace/descriptor.hpp"

namespace headrace::sys {

/// openat2(2); `how.resolve` has RESOLVE_BENEATH and its kin. libc has no wrapper.
Result<Descriptor> openat2(DescriptorRef directory, const std::string& name, const open_how& how);

}  // namespace headrace::sys
