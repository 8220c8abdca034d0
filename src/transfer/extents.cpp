#include "transfer/extents.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "sys/files.hpp"
#include "sys/read_write.hpp"
#include "transfer/reopen.hpp"

namespace headrace {
namespace {

// The block of ext4, xfs, btrfs and tmpfs here: a shorter run of zeros frees nothing.
constexpr Bytes block = 4096;
constexpr std::size_t buffer_size = 256 * kibibyte;
// One run found by reading. Long enough for a kernel path's calls to be few; short enough that the
// bytes are still cached when they are moved, and that a stop is seen.
constexpr Bytes longest_scanned_run = 8 * mebibyte;

bool all_zero(std::span<const std::byte> bytes) {
  static constexpr std::array<std::byte, block> zeros{};
  return std::memcmp(bytes.data(), zeros.data(), bytes.size()) == 0;
}

}  // namespace

Extents::Extents(DescriptorRef source, Sparse sparse, Bytes block_start)
    : lent_(source), sparse_(sparse), block_start_(block_start % block) {
  if (sparse_ == Sparse::never) return;
  auto own = reopen(source);
  if (own) own_ = std::move(*own);
  if (sparse_ == Sparse::always) buffer_ = std::make_unique<std::byte[]>(buffer_size);
}

Extent Extents::next(Bytes from, Bytes end) {
  if (from >= end) return {};
  if (sparse_ == Sparse::never) return {.hole = false, .bytes = end - from};
  const Extent extent = mapped(from, end);
  if (extent.hole || sparse_ != Sparse::always) return extent;
  return scanned(from, from + extent.bytes);
}

// SEEK_DATA and SEEK_HOLE move the position of the open file, which the source may share with other
// threads and processes (standard input). An open file of our own keeps them out of it at one call
// each; without one the position is put back at once.
Result<Bytes> Extents::seek(Bytes from, int whence) {
  const auto offset = static_cast<std::int64_t>(from);
  if (own_.valid()) return sys::lseek(own_.ref(), offset, whence);
  const auto position = sys::lseek(lent_, 0, SEEK_CUR);
  if (!position) return position;
  auto found = sys::lseek(lent_, offset, whence);
  const auto back = sys::lseek(lent_, static_cast<std::int64_t>(*position), SEEK_SET);
  return back ? found : back;
}

// One call for each run: where a hole ends, data begins.
Extent Extents::mapped(Bytes from, Bytes end) {
  const bool known = from == data_begin_ || (from > data_begin_ && from < data_end_);
  if (!known) {
    const auto data = seek(from, SEEK_DATA);
    if (!data) return without_data(data.error(), from, end);
    data_begin_ = data_end_ = std::max(*data, from);
    if (*data > from) return {.hole = true, .bytes = std::min(*data, end) - from};
  }
  if (from >= data_end_) {
    const auto hole = seek(from, SEEK_HOLE);
    // Punched since we saw data there: one block of zeros is moved, and the walk goes on.
    data_end_ = hole.value_or(everything);
    if (data_end_ <= from) data_end_ = from + block;
  }
  return {.hole = false, .bytes = std::min(data_end_, end) - from};
}

// ENXIO: no data from here to the end of the file, or the file ends before.
Extent Extents::without_data(const Error& error, Bytes from, Bytes end) {
  const auto no_data = [](const Error& answer) { return answer.code.value() == ENXIO; };
  if (no_data(error)) {
    const auto status = sys::fstat(lent_);
    const Bytes size = status ? static_cast<Bytes>(status->st_size) : 0;
    // Asked again, since what was appended before we asked for the size is no hole.
    const auto again = seek(from, SEEK_DATA);
    if (size > from && !again && no_data(again.error())) {
      return {.hole = true, .bytes = std::min(size, end) - from};
    }
  }
  data_begin_ = from;
  data_end_ = everything;
  return {.hole = false, .bytes = end - from};
}

Bytes Extents::to_block_end(Bytes at) const {
  return block - (at + (block - block_start_)) % block;
}

std::span<const std::byte> Extents::buffered(Bytes at) const {
  if (at < buffer_offset_ || at - buffer_offset_ >= buffer_bytes_) return {};
  const std::span<const std::byte> all{buffer_.get(), buffer_bytes_};
  return all.subspan(static_cast<std::size_t>(at - buffer_offset_));
}

// The rest of the destination's block that the byte at `at` goes to; fewer where the file ends,
// none where it cannot be read.
std::span<const std::byte> Extents::block_at(Bytes at, Bytes end) {
  const auto wanted = static_cast<std::size_t>(std::min(to_block_end(at), end - at));
  if (buffered(at).size() < wanted) {
    const auto filled = sys::pread(lent_, {buffer_.get(), next_request(end - at, buffer_size)}, at);
    buffer_offset_ = at;
    buffer_bytes_ = filled.value_or(0);
    read_ += buffer_bytes_;
  }
  const auto bytes = buffered(at);
  return bytes.first(std::min(bytes.size(), wanted));
}

Extent Extents::scanned(Bytes from, Bytes end) {
  end = from + std::min(end - from, longest_scanned_run);
  std::optional<bool> hole;
  Bytes at = from;
  while (at < end) {
    const auto bytes = block_at(at, end);
    if (bytes.empty()) break;
    const bool zeros = all_zero(bytes);
    if (hole.value_or(zeros) != zeros) break;
    hole = zeros;
    at += bytes.size();
  }
  if (!hole) return {.hole = false, .bytes = end - from};
  return {.hole = *hole, .bytes = at - from};
}

}  // namespace headrace
