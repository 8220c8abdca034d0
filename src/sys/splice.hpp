#pragma once

#include <cstddef>
#include <optional>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::sys {

/// splice(2) from `source` (at `offset` where given, whose file position then stays) to
/// `destination` at its own position.
Result<std::size_t> splice(DescriptorRef source, std::optional<Bytes> offset,
                           DescriptorRef destination, std::size_t bytes, unsigned flags);

}  // namespace headrace::sys
