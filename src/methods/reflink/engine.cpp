#include "methods/reflink/engine.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "methods/reflink/ficlonerange.hpp"
#include "methods/support/reasons.hpp"

namespace headrace {
namespace {

Result<Bytes> position_of(DescriptorRef file) {
  const off_t position = ::lseek(file.number(), 0, SEEK_CUR);
  if (position < 0) return fail("lseek", errno);
  return static_cast<Bytes>(position);
}

Result<void> set_position(DescriptorRef file, Bytes position) {
  if (::lseek(file.number(), static_cast<off_t>(position), SEEK_SET) < 0) {
    return fail("lseek", errno);
  }
  return {};
}

Result<Bytes> size_of(DescriptorRef file) {
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) return fail("fstat", errno);
  return static_cast<Bytes>(status.st_size);
}

}  // namespace

// The budget does not bound it: a clone costs by extents, not by bytes, and cannot be resumed.
Progress ReflinkEngine::advance(Bytes) {
  if (remaining() == 0) return finished();
  if (!job_.offset) return refused(source_not_seekable);  // a range is all the call can be given
  const auto position = position_of(job_.destination.descriptor);
  if (!position) return stopped_by(position.error(), Wait::timer);
  const auto size = size_of(job_.source.descriptor);
  if (!size) return stopped_by(size.error(), Wait::timer);
  const Bytes offset = *job_.offset;
  const Bytes bytes = std::min(remaining(), *size > offset ? *size - offset : 0);
  if (bytes == 0) return refused(first_call_zero);  // and 0 would mean "to the end" to the kernel

  const auto cloned = sys::ficlonerange(job_.source.descriptor, offset, job_.destination.descriptor,
                                        *position, bytes);
  ++progress_.calls;
  if (!cloned) return stopped_by(cloned.error(), Wait::timer);
  progress_.moved += bytes;
  const auto placed = set_position(job_.destination.descriptor, *position + bytes);
  return placed ? finished() : failed(placed.error());
}

}  // namespace headrace
