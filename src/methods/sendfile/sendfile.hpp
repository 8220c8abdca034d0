#pragma once

#include <cstddef>
#include <optional>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::sys {

/// sendfile(2) from `source` (at `offset` where given, whose position then stays) to `destination`.
Result<std::size_t> sendfile(DescriptorRef destination, DescriptorRef source,
                             std::optional<Bytes> offset, std::size_t bytes);

}  // namespace headrace::sys
