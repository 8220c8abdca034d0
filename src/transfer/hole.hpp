#pragma once

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace {

/// The next `bytes` bytes of a regular file become zeros without blocks, as far as whole blocks of
/// it are covered.
///
/// False, and nothing has changed, where that is not offered here: not a regular file, O_APPEND, a
/// file system that cannot punch into content that is there. Then the zeros are to be written.
/// Offset: advanced by `bytes` on true. Behind the end of the file nothing but the offset moves:
/// call `end_file` when the last byte is written.
/// Blocks reserved behind the end (fallocate(2)) stay: ext4 punches nothing there. So reserve only
/// what data will fill.
/// Errors: fallocate(2) or lseek(2) failing for good: EIO, or EFBIG where no file can be so long.
Result<bool> make_hole(DescriptorRef destination, Bytes bytes);

/// A regular file that ends before its descriptor's offset grows to it, by a hole.
Result<void> end_file(DescriptorRef destination);

}  // namespace headrace
