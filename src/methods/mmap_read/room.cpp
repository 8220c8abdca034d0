#include "methods/mmap_read/room.hpp"

#include <algorithm>
#include <cerrno>

#include "methods/support/errno_table.hpp"
#include "sys/files.hpp"

namespace headrace {

Result<void> Room::make(Bytes begin, Bytes end) {
  const auto before = size();
  if (!before) return std::unexpected(before.error());
  if (made_ && *before < begin) return fail("mmap", ESTALE);
  if (ours_ != *before) theirs_ = *before;
  made_ = true;
  auto extended = extend(begin, end, *before);
  // A refused reservation may have moved the end too, part of the way. An end that is elsewhere is
  // that of somebody who wrote meanwhile.
  const auto after = size();
  const bool moved = after && *after > *before;
  if (moved && (extended ? *after == end : *after <= end)) ours_ = *after;
  return extended;
}

// Without fallocate(2) a full disk shows only when the mapping is written: EFAULT.
Result<void> Room::extend(Bytes begin, Bytes end, Bytes size) {
  auto reserved = sys::fallocate(file_, 0, begin, end - begin);
  if (reserved || meaning_of(reserved.error(), false) != Meaning::not_offered) return reserved;
  if (size >= end) return {};
  return sys::ftruncate(file_, end);
}

Result<void> Room::give_back(Bytes end) {
  if (!made_) return {};
  const auto now = size();
  if (!now) return std::unexpected(now.error());
  if (*now < end) return fail("mmap", ESTALE);
  const Bytes kept = std::max(theirs_, end);
  if (ours_ != *now || kept >= *now) return {};
  auto cut = sys::ftruncate(file_, kept);
  if (cut) ours_ = kept;
  return cut;
}

Result<Bytes> Room::size() const {
  const auto status = sys::fstat(file_);
  if (!status) return std::unexpected(status.error());
  return static_cast<Bytes>(status->st_size);
}

}  // namespace headrace
