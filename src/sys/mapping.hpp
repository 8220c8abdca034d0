#pragma once

#include <cstddef>
#include <span>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::sys {

/// mmap(2), MAP_SHARED, wherever the kernel likes. `protection` is PROT_READ...; `offset` is a
/// multiple of `page_size`.
Result<std::span<std::byte>> mmap(DescriptorRef file, Bytes offset, std::size_t length,
                                  int protection);
/// mmap(2) of zeroed memory of our own, MAP_PRIVATE, to read and write. munmap gives it back.
Result<std::span<std::byte>> mmap_anonymous(std::size_t length);
Result<void> munmap(std::span<std::byte> mapping);
/// sysconf(3) _SC_PAGESIZE, which cannot fail.
Bytes page_size();

}  // namespace headrace::sys
