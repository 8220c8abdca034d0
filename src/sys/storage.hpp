#pragma once

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

// What lies between a file's bytes and the disk, and who holds the file.
namespace headrace::sys {

Result<void> fsync(DescriptorRef file);
/// posix_fadvise(2); a length of 0 reaches to the end.
Result<void> posix_fadvise(DescriptorRef file, Bytes offset, Bytes length, int advice);
/// F_OFD_SETLK for the whole file; `type` is F_RDLCK, F_WRLCK or F_UNLCK. Never waits.
Result<void> set_record_lock(DescriptorRef file, int type);

}  // namespace headrace::sys
