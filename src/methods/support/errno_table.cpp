#include "methods/support/errno_table.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

namespace headrace {
namespace {

constexpr std::array rows{
    ErrnoRow{ENOSYS, "ENOSYS", Meaning::not_offered, "the kernel or a filter lacks the call"},
    ErrnoRow{EOPNOTSUPP, "EOPNOTSUPP", Meaning::not_offered, "not for this file system or socket"},
    ErrnoRow{EINVAL, "EINVAL", Meaning::not_offered, "not for these two ends, or not aligned"},
    ErrnoRow{EXDEV, "EXDEV", Meaning::not_offered, "not across these file systems"},
    ErrnoRow{EPERM, "EPERM", Meaning::not_offered, "a seccomp filter or a seal forbids this call"},
    ErrnoRow{EACCES, "EACCES", Meaning::not_offered, "some network file systems answer so"},
    ErrnoRow{ENODATA, "ENODATA", Meaning::not_offered, "Lustre answers so"},
    ErrnoRow{EBADF, "EBADF", Meaning::not_offered, "only where the destination appends"},
    ErrnoRow{ETXTBSY, "ETXTBSY", Meaning::not_offered, "an active swap file, for copy_file_range"},
    ErrnoRow{ENOTTY, "ENOTTY", Meaning::not_offered, "the file system does not know the ioctl"},
    ErrnoRow{EAGAIN, "EAGAIN", Meaning::try_again, "one end is not ready"},
    ErrnoRow{EINTR, "EINTR", Meaning::try_again, "a signal came"},
    ErrnoRow{ENOSPC, "ENOSPC", Meaning::final, "the destination is full"},
    ErrnoRow{EDQUOT, "EDQUOT", Meaning::final, "the quota is used up"},
    ErrnoRow{EFBIG, "EFBIG", Meaning::final, "a file-size limit is reached"},
    ErrnoRow{EIO, "EIO", Meaning::final, "the medium failed"},
    ErrnoRow{ENOMEM, "ENOMEM", Meaning::final, "the kernel has no memory"},
    ErrnoRow{EPIPE, "EPIPE", Meaning::final, "nobody reads any more"},
    ErrnoRow{ECONNRESET, "ECONNRESET", Meaning::final, "the peer reset the connection"},
};

}  // namespace

std::span<const ErrnoRow> errno_table() { return rows; }

Meaning meaning_of(const Error& error, bool destination_appends) {
  if (error.code.category() != std::system_category()) return Meaning::final;
  const auto* const row = std::ranges::find(rows, error.code.value(), &ErrnoRow::number);
  if (row == rows.end()) return Meaning::final;
  if (row->number == EBADF && !destination_appends) return Meaning::final;
  return row->meaning;
}

Ending classify(const Error& error, Bytes stranded, bool destination_appends) {
  switch (meaning_of(error, destination_appends)) {
    case Meaning::try_again:
      return Ending::paused;
    case Meaning::not_offered:
      return stranded == 0 ? Ending::refused : Ending::failed;
    case Meaning::final:
      break;
  }
  return Ending::failed;
}

}  // namespace headrace
