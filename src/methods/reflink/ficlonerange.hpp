#pragma once

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::sys {

/// ioctl(2) FICLONERANGE: `bytes` bytes at `offset` of `source` become shared with `destination`
/// at `destination_offset`. Neither position moves. `bytes` 0 means to the end of the source.
Result<void> ficlonerange(DescriptorRef source, Bytes offset, DescriptorRef destination,
                          Bytes destination_offset, Bytes bytes);

}  // namespace headrace::sys
