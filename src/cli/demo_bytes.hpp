#pragma once

#include "headrace/bytes.hpp"
#include "headrace/transfer.hpp"

namespace headrace::cli {

/// Writes `size` bytes that no compression shortens and that differ everywhere, so that a lost,
/// doubled or swapped piece is seen. Errors: write(2); "write" with ECANCELED after a stop.
Result<void> fill(DescriptorRef file, Bytes size, const Stop& stop);

/// Whether two files hold the same. Positions stay. Errors: pread(2); "pread" with ECANCELED.
Result<bool> same_bytes(DescriptorRef one, DescriptorRef other, const Stop& stop);

}  // namespace headrace::cli
