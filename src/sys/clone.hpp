#pragma once

#include "headrace/descriptor.hpp"

namespace headrace::sys {

/// ioctl(2) FICLONE: `destination` becomes as long as `source` and shares all its extents.
Result<void> ficlone(DescriptorRef source, DescriptorRef destination);

}  // namespace headrace::sys
