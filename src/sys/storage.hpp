#pragma once

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

// What lies between a file's bytes and the disk, and who holds the file.
namespace headrace::sys {

Result<void> fsync(DescriptorRef file);
/// posix_fadvise(2); a length of 0 reaches to the end.
Result<void> posix_fadvise(DescriptorRef file, Bytes offset, Bytes length, int advice);
/// `operation` as in flock(2), e.g. LOCK_EX | LOCK_NB.
Result<void> flock(DescriptorRef file, int operation);

}  // namespace headrace::sys
