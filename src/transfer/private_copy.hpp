#pragma once

#include "headrace/descriptor.hpp"

namespace headrace {

/// A clone of a regular file that shares its extents and has no name: what is written to the
/// source from now on does not reach it, so it can be sent by reference and stay as it is.
///
/// It is made in the source's own directory (O_TMPFILE, FICLONE), cannot be given a name, and has
/// no permission for anybody: only the descriptor returned, open for reading and writing at offset
/// 0, reaches it. Its space is freed when that is closed. The kernel writes the source's dirty
/// pages to disk first, and reads of the clone do not find the source's pages in the cache.
/// Errors: ENOENT, EACCES: the directory is not to be found or written to; EOPNOTSUPP, EINVAL,
/// EXDEV: no clone there; ESTALE: the source's size changed meanwhile. Nothing is left behind.
Result<Descriptor> clone_unnamed(DescriptorRef source);

}  // namespace headrace
