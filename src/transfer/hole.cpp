#include "transfer/hole.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <limits>
#include <optional>

#include "methods/support/errno_table.hpp"
#include "sys/files.hpp"

namespace headrace {
namespace {

// The most that an off_t can say.
constexpr auto last_offset = static_cast<Bytes>(std::numeric_limits<off_t>::max());

struct Place {
  Bytes position = 0;
  Bytes size = 0;
};

/// Where the next byte goes in which file; absent where that cannot be skipped.
std::optional<Place> place_of(DescriptorRef file) {
  const int flags = ::fcntl(file.number(), F_GETFL);
  if (flags < 0 || (flags & O_APPEND) != 0) return {};
  const auto status = sys::fstat(file);
  if (!status || !S_ISREG(status->st_mode)) return {};
  const auto position = sys::lseek(file, 0, SEEK_CUR);
  if (!position) return {};
  return Place{.position = *position, .size = static_cast<Bytes>(status->st_size)};
}

Result<bool> punch(DescriptorRef file, Bytes offset, Bytes bytes) {
  const auto punched =
      sys::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, bytes);
  if (punched) return true;
  const Error& error = punched.error();
  // A full disk may lack the block that describes the hole; the zeros go into blocks there are.
  const bool no_room = error.code == std::errc::no_space_on_device;
  if (no_room || meaning_of(error, false) != Meaning::final) return false;
  return std::unexpected(error);
}

}  // namespace

Result<bool> make_hole(DescriptorRef destination, Bytes bytes) {
  const auto place = place_of(destination);
  if (!place || bytes > last_offset - place->position) return false;
  // Behind the end, too: xfs may have given the last write more blocks than it needed, and they
  // would become part of the file when it grows over them.
  const auto punched = punch(destination, place->position, bytes);
  if (!punched) return punched;
  if (!*punched && place->position < place->size) return false;
  const auto end = static_cast<std::int64_t>(place->position + bytes);
  const auto moved = sys::lseek(destination, end, SEEK_SET);
  if (!moved) return std::unexpected(moved.error());
  return true;
}

Result<void> end_file(DescriptorRef destination) {
  const auto place = place_of(destination);
  if (!place || place->position <= place->size) return {};
  return sys::ftruncate(destination, place->position);
}

}  // namespace headrace
