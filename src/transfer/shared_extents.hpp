#pragma once

#include <optional>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace {

/// How many of the `length` bytes at `offset` of a file lie in extents that the file system says
/// are shared with other files (FIEMAP).
///
/// Absent where it does not say (tmpfs), and where the file has so many extents that to look at
/// them all would take long. Bytes that were written and not yet laid out on the disk are not
/// shared.
std::optional<Bytes> shared_bytes(DescriptorRef file, Bytes offset, Bytes length);

}  // namespace headrace
