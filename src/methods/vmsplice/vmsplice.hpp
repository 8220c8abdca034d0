#pragma once

#include <cstddef>
#include <span>

#include "headrace/descriptor.hpp"

namespace headrace::sys {

/// vmsplice(2) into a pipe: it refers to the pages of `bytes` from then on and copies nothing.
Result<std::size_t> vmsplice(DescriptorRef pipe, std::span<const std::byte> bytes, unsigned flags);

}  // namespace headrace::sys
