#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "headrace/descriptor.hpp"

namespace headrace::sys {

/// getdents64(2): as many entries as fit; how many bytes of `buffer` they take. 0: no more.
/// `buffer` is aligned as for any 64-bit number.
Result<std::size_t> getdents64(DescriptorRef directory, std::span<std::byte> buffer);

struct DirectoryEntry {
  std::string_view name;   ///< in the buffer; "." and ".." are among them
  unsigned char type = 0;  ///< DT_REG..., or DT_UNKNOWN: the file system does not say
};

/// Takes the first entry off `entries`, which getdents64 filled; absent: none is left.
std::optional<DirectoryEntry> take_entry(std::span<const std::byte>& entries);

}  // namespace headrace::sys
