#pragma once

#include <optional>
#include <string_view>

#include "headrace/bytes.hpp"

namespace headrace {

/// Reads a size as people write it: "64KiB", "1.5 GiB", "10MB", "64K" (= KiB), "4096".
///
/// KiB, MiB... (and K, M...) count 1024, KB, MB... count 1000; case does not matter. A fraction of
/// a byte is dropped. Absent for anything else: a sign, an unknown unit, a fraction without a unit,
/// more than nine decimals, or more bytes than 64 bits hold.
std::optional<Bytes> parse_size(std::string_view text);

}  // namespace headrace
