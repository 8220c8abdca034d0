#include "cli/demo_bytes.hpp"

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "net/wait.hpp"
#include "sys/read_write.hpp"

namespace headrace::cli {
namespace {

constexpr std::size_t piece_size = mebibyte;

Result<void> write_all(DescriptorRef file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto written = sys::write(file, bytes);
    if (!written) return std::unexpected(written.error());
    bytes = bytes.subspan(*written);
  }
  return {};
}

Result<std::size_t> read_piece(DescriptorRef file, std::span<std::byte> piece, Bytes offset) {
  std::size_t filled = 0;
  while (filled < piece.size()) {
    const auto step = sys::pread(file, piece.subspan(filled), offset + filled);
    if (!step) return step;
    if (*step == 0) break;
    filled += *step;
  }
  return filled;
}

}  // namespace

Result<void> fill(DescriptorRef file, Bytes size, const Stop& stop) {
  std::mt19937_64 random{size};
  std::vector<std::uint64_t> piece(piece_size / sizeof(std::uint64_t));
  for (Bytes written = 0; written < size;) {
    if (net::stop_requested(stop)) return fail("write", ECANCELED);
    for (auto& word : piece) word = random();
    const auto bytes =
        std::as_bytes(std::span{piece}).first(next_request(size - written, piece_size));
    if (auto done = write_all(file, bytes); !done) return done;
    written += bytes.size();
  }
  return {};
}

Result<bool> same_bytes(DescriptorRef one, DescriptorRef other, const Stop& stop) {
  std::vector<std::byte> left(piece_size);
  std::vector<std::byte> right(piece_size);
  for (Bytes offset = 0;;) {
    if (net::stop_requested(stop)) return fail("pread", ECANCELED);
    const auto from_one = read_piece(one, left, offset);
    if (!from_one) return std::unexpected(from_one.error());
    const auto from_other = read_piece(other, right, offset);
    if (!from_other) return std::unexpected(from_other.error());
    if (*from_one != *from_other ||
        !std::equal(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(*from_one),
                    right.begin())) {
      return false;
    }
    if (*from_one == 0) return true;
    offset += *from_one;
  }
}

}  // namespace headrace::cli
