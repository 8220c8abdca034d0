#include "transfer/reservation.hpp"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "sys/files.hpp"

namespace headrace {
namespace {

// Large enough that ext4 lays a file of gigabytes out in few extents, small enough that a full
// disk is not claimed by one transfer.
constexpr Bytes step_ahead = 64 * mebibyte;
// A short message is over before a reservation has paid for itself.
constexpr Bytes first_reservation_after = 4 * mebibyte;

}  // namespace

Reserve best_reserve(const Facts& destination, bool length_known) {
  const bool gains = destination.kind == Kind::regular && destination.file_system == "ext4";
  if (!gains) return Reserve::nothing;
  return length_known ? Reserve::whole : Reserve::ahead;
}

Reservation::Reservation(DescriptorRef file, const Facts& facts, Reserve wish)
    : file_(file), wish_(wish), start_(facts.position) {
  if (facts.kind != Kind::regular || facts.appends) wish_ = Reserve::nothing;
}

Result<void> Reservation::claim(std::optional<Bytes> expected) {
  if (wish_ != Reserve::required || expected.value_or(0) == 0) return {};
  reserved_ = *expected;
  auto claimed = sys::fallocate(file_, FALLOC_FL_KEEP_SIZE, start_, reserved_);
  if (!claimed) trim();  // also a refused one leaves blocks behind
  return claimed;
}

void Reservation::keep_ahead(Bytes moved, std::optional<Bytes> expected) {
  if (wish_ == Reserve::nothing || wish_ == Reserve::required) return;
  if (wish_ == Reserve::whole && expected) {
    if (reserved_ == 0 && *expected > 0) reserve(*expected);
    wish_ = Reserve::nothing;
    return;
  }
  if (moved < first_reservation_after) return;
  if (moved + step_ahead / 2 > reserved_) reserve(std::max(moved, reserved_) + step_ahead);
}

Bytes Reservation::turn() const {
  if (wish_ != Reserve::ahead) return everything;
  return reserved_ == 0 ? first_reservation_after : step_ahead / 2;
}

void Reservation::reserve(Bytes bytes) {
  const Bytes offset = start_ + reserved_;
  const Bytes length = bytes - reserved_;
  // Also a refused reservation leaves blocks behind: ext4 keeps what it found before ENOSPC.
  reserved_ = bytes;
  if (sys::fallocate(file_, FALLOC_FL_KEEP_SIZE, offset, length)) return;
  wish_ = Reserve::nothing;
  trim();  // others may need what is left of the disk more than we do
}

void Reservation::forgo() {
  if (wish_ != Reserve::required) wish_ = Reserve::nothing;
}

void Reservation::trim() {
  if (reserved_ == 0) return;
  const Bytes end = start_ + std::exchange(reserved_, 0);
  const auto status = sys::fstat(file_);
  if (!status) return;
  const auto size = static_cast<Bytes>(status->st_size);
  // Truncating to the size it has frees the blocks behind it: ext4, xfs, btrfs, tmpfs alike.
  // Where that fails the blocks stay until the file is written or removed: nobody's bytes are hurt.
  if (size < end && !sys::ftruncate(file_, size)) return;
}

}  // namespace headrace
