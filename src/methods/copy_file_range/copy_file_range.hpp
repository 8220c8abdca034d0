#pragma once

#include <cstddef>
#include <optional>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::sys {

/// copy_file_range(2) from `source` (at `offset` where given, whose position then stays) to
/// `destination` at its own position.
Result<std::size_t> copy_file_range(DescriptorRef source, std::optional<Bytes> offset,
                                    DescriptorRef destination, std::size_t bytes);

}  // namespace headrace::sys
