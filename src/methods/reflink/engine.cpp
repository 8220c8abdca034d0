#include "methods/reflink/engine.hpp"

#include <unistd.h>

#include "methods/reflink/ficlonerange.hpp"
#include "methods/support/reasons.hpp"
#include "sys/files.hpp"

namespace headrace {

// The budget does not bound it: a clone costs by extents, not by bytes, and cannot be resumed.
Progress ReflinkEngine::advance(Bytes) {
  if (remaining() == 0) return finished();
  if (!job_.offset) return refused(source_not_seekable);  // a range is all the call can be given
  const auto position = sys::lseek(job_.destination.descriptor, 0, SEEK_CUR);
  if (!position) return stopped_by(position.error(), Wait::timer);
  const auto status = sys::fstat(job_.source.descriptor);
  if (!status) return stopped_by(status.error(), Wait::timer);
  const auto size = static_cast<Bytes>(status->st_size);
  const Bytes offset = *job_.offset;
  const Bytes bytes = std::min(remaining(), size > offset ? size - offset : 0);
  if (bytes == 0) return refused(first_call_zero);  // and 0 would mean "to the end" to the kernel

  const auto cloned = sys::ficlonerange(job_.source.descriptor, offset, job_.destination.descriptor,
                                        *position, bytes);
  ++progress_.calls;
  if (!cloned) return stopped_by(cloned.error(), Wait::timer);
  progress_.moved += bytes;
  const auto placed = sys::lseek(job_.destination.descriptor,
                                 static_cast<std::int64_t>(*position + bytes), SEEK_SET);
  return placed ? finished() : failed(placed.error());
}

}  // namespace headrace
