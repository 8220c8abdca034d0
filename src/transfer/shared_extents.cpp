#include "transfer/shared_extents.hpp"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <vector>

namespace headrace {
namespace {

constexpr std::size_t extents_per_call = 512;  // 28 KiB
// 32768 extents. btrfs looks up who else has an extent, for each of them.
constexpr int most_calls = 64;

/// What one call answers.
class Page {
 public:
  Page() : memory_(1 + extents_per_call) {}

  Result<std::span<const struct fiemap_extent>> ask(DescriptorRef file, Bytes offset,
                                                    Bytes length) {
    auto& request = *reinterpret_cast<struct fiemap*>(memory_.data());
    request = {};
    request.fm_start = offset;
    request.fm_length = length;
    request.fm_extent_count = extents_per_call;
    if (::ioctl(file.number(), FS_IOC_FIEMAP, &request) != 0) return fail("ioctl", errno);
    const auto mapped = std::min<std::size_t>(request.fm_mapped_extents, extents_per_call);
    return std::span<const struct fiemap_extent>{request.fm_extents, mapped};
  }

 private:
  // The request takes the place of the first extent.
  static_assert(sizeof(struct fiemap) <= sizeof(struct fiemap_extent));
  std::vector<struct fiemap_extent> memory_;
};

Bytes shared_between(const struct fiemap_extent& extent, Bytes begin, Bytes end) {
  if ((extent.fe_flags & FIEMAP_EXTENT_SHARED) == 0) return 0;
  const Bytes first = std::max<Bytes>(extent.fe_logical, begin);
  const Bytes last = std::min<Bytes>(extent.fe_logical + extent.fe_length, end);
  return last > first ? last - first : 0;
}

}  // namespace

std::optional<Bytes> shared_bytes(DescriptorRef file, Bytes offset, Bytes length) {
  const Bytes end = offset + std::min(length, everything - offset);
  Bytes shared = 0;
  Page page;
  Bytes next = offset;
  for (int calls = 0; calls < most_calls && next < end; ++calls) {
    const auto extents = page.ask(file, next, end - next);
    if (!extents) return {};
    if (extents->empty()) return shared;
    for (const auto& extent : *extents) shared += shared_between(extent, next, end);
    const auto& last = extents->back();
    if ((last.fe_flags & FIEMAP_EXTENT_LAST) != 0) return shared;
    const Bytes behind = last.fe_logical + last.fe_length;
    if (behind <= next) return {};  // a file that changes, or an answer that makes no sense
    next = behind;
  }
  if (next < end) return {};
  return shared;
}

}  // namespace headrace
