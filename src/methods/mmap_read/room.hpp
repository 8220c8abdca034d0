#pragma once

#include <optional>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace {

/// Lets a file reach as far as it will be written through a mapping, and takes back what was not
/// needed. Content that was there before stays.
class Room {
 public:
  explicit Room(DescriptorRef file) : file_(file) {}

  /// Makes [begin, end) of the file writable through a mapping: it reaches that far, and has blocks
  /// there where the file system promises blocks.
  /// Errors: ENOSPC, EDQUOT, EFBIG in time; ESTALE of "mmap" where somebody else has cut the file
  /// before `begin` since the last time.
  Result<void> make(Bytes begin, Bytes end);
  /// Cuts what `make` has added behind `end`, unless somebody else has changed the size since.
  /// Errors: ESTALE of "mmap" where somebody else has cut the file before `end`.
  Result<void> give_back(Bytes end);
  [[nodiscard]] Result<Bytes> size() const;

 private:
  Result<void> extend(Bytes begin, Bytes end, Bytes size);

  DescriptorRef file_;
  bool made_ = false;
  Bytes theirs_ = 0;           // size that others gave the file: never cut below
  std::optional<Bytes> ours_;  // size that we gave it
};

}  // namespace headrace
