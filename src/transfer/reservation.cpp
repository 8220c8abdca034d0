#include "transfer/reservation.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headrace {
namespace {

// Large enough that ext4 lays a file of gigabytes out in few extents, small enough that a full
// disk is not claimed by one transfer.
constexpr Bytes step_ahead = 64 * mebibyte;

}  // namespace

Reserve best_reserve(const Facts& destination) {
  const bool gains = destination.kind == Kind::regular && destination.file_system == "ext4";
  return gains ? Reserve::whole : Reserve::nothing;
}

Reservation::Reservation(DescriptorRef file, const Facts& facts, Reserve wish)
    : file_(file), wish_(wish), start_(facts.position) {
  if (facts.kind != Kind::regular || facts.appends) wish_ = Reserve::nothing;
}

void Reservation::keep_ahead(Bytes moved, std::optional<Bytes> expected) {
  if (wish_ == Reserve::nothing) return;
  if (wish_ == Reserve::whole && expected) {
    if (reserved_ == 0 && *expected > 0) reserve(*expected);
    wish_ = Reserve::nothing;
    return;
  }
  if (moved + step_ahead / 2 > reserved_) reserve(reserved_ + step_ahead);
}

Bytes Reservation::turn() const { return wish_ == Reserve::ahead ? step_ahead / 2 : everything; }

void Reservation::reserve(Bytes bytes) {
  const auto offset = static_cast<off_t>(start_ + reserved_);
  const auto length = static_cast<off_t>(bytes - reserved_);
  if (::fallocate(file_.number(), FALLOC_FL_KEEP_SIZE, offset, length) != 0) {
    wish_ = Reserve::nothing;
    return;
  }
  reserved_ = bytes;
}

void Reservation::trim() {
  struct stat status{};
  if (reserved_ == 0 || ::fstat(file_.number(), &status) != 0) return;
  const auto end = static_cast<off_t>(start_ + reserved_);
  reserved_ = 0;
  // Truncating to the size it has frees the blocks behind it: ext4, xfs, btrfs, tmpfs alike.
  if (status.st_size < end && ::ftruncate(file_.number(), status.st_size) != 0) return;
}

}  // namespace headrace
