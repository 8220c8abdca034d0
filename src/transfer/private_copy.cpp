#include "transfer/private_copy.hpp"

#include <cerrno>
#include <string>

#include "sys/clone.hpp"
#include "sys/files.hpp"

namespace headrace {
namespace {

// Of a file that was removed the name ends in " (deleted)": its directory is still the right one.
Result<std::string> directory_of(DescriptorRef file) {
  auto name =
      sys::readlinkat(sys::working_directory, "/proc/self/fd/" + std::to_string(file.number()));
  if (!name) return name;
  const std::size_t slash = name->rfind('/');
  if (slash == std::string::npos) return fail("readlink", ENOENT);  // a pipe, a socket
  name->resize(slash + 1);
  return name;
}

}  // namespace

Result<Descriptor> clone_unnamed(DescriptorRef source) {
  const auto before = sys::fstat(source);
  if (!before) return std::unexpected(before.error());
  const auto directory = directory_of(source);
  if (!directory) return std::unexpected(directory.error());
  // O_EXCL: nobody can link it to a name. Mode 0: nor open it through /proc without privilege.
  auto clone =
      sys::openat(sys::working_directory, *directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0);
  if (!clone) return clone;
  const auto done = sys::ficlone(source, clone->ref());
  if (!done) return std::unexpected(done.error());
  const auto after = sys::fstat(clone->ref());
  if (!after) return std::unexpected(after.error());
  if (after->st_size != before->st_size) return fail("ioctl FICLONE", ESTALE);
  return clone;
}

}  // namespace headrace
