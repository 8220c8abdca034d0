#pragma once

#include "headrace/descriptor.hpp"

namespace headrace {

/// The same regular file, opened again for reading by way of /proc/self/fd: an open file
/// description of our own, so that whatever is done to its position, its lease or its owner stays
/// with us.
///
/// Errors: ENOENT: no /proc; EACCES: the file's mode; ESTALE: that led to another file; EBUSY: the
/// file bears fcntl(2) record locks, which a close of any descriptor of it would take from this
/// process.
Result<Descriptor> reopen(DescriptorRef file);

}  // namespace headrace
