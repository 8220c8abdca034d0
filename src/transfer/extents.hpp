#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "headrace/transfer.hpp"

namespace headrace {

/// A run of a file's bytes that are all there, or that all stand for zeros.
struct Extent {
  bool hole = false;
  Bytes bytes = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// Whether it can pay to ask for holes: the file is a regular one whose size can be believed.
///
/// `Facts::allocated` decides nothing here. A file with all its blocks can still have holes for a
/// reader (reserved blocks that were never written; xfs counts what it reserves beyond the end),
/// and one with too few can have none (compressed on btrfs). To ask costs a file without holes two
/// calls of lseek(2).
constexpr bool may_have_holes(const Facts& source) {
  return source.kind == Kind::regular && size_is_known(source);
}

/// Finds the holes of a regular file, one run after the other.
///
/// Whatever a file that changes meanwhile answers, a run has at least one byte and ends within its
/// bounds, so a walk ends. What cannot be told (no SEEK_DATA here, a file that has become shorter)
/// is data: to move it shows what it is.
/// Ownership: borrows `source`. Offset: never moved for anyone to see, see `seek`.
class Extents {
 public:
  /// `block_start` is an offset in the source that falls on the start of a block of the
  /// destination: there a run of zeros becomes a hole (Sparse::always).
  Extents(DescriptorRef source, Sparse sparse, Bytes block_start = 0);

  /// The run that begins at `from` and ends at `end` at the latest; `from` < `end`.
  Extent next(Bytes from, Bytes end);
  /// Bytes read to find zeros.
  [[nodiscard]] Bytes read() const { return read_; }

 private:
  Result<Bytes> seek(Bytes from, int whence);
  Extent mapped(Bytes from, Bytes end);
  Extent without_data(const Error& error, Bytes from, Bytes end);
  Extent scanned(Bytes from, Bytes end);
  [[nodiscard]] Bytes to_block_end(Bytes at) const;
  std::span<const std::byte> buffered(Bytes at) const;
  std::span<const std::byte> block_at(Bytes at, Bytes end);

  DescriptorRef lent_;
  Descriptor own_;  // the same file, opened again
  Sparse sparse_;
  Bytes block_start_;

  // Bytes known to be data; begins at `everything` when none are. Empty: the end is yet to be
  // asked for.
  Bytes data_begin_ = everything;
  Bytes data_end_ = 0;

  std::unique_ptr<std::byte[]> buffer_;
  Bytes buffer_offset_ = 0;  // where in the file
  std::size_t buffer_bytes_ = 0;
  Bytes read_ = 0;
};

}  // namespace headrace
