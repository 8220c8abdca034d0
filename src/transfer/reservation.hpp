#pragma once

#include <string>
#include <vector>

#include "headrace/transfer.hpp"

namespace headrace {

/// Blocks reserved in a regular file ahead of what is written, and given back at the end.
///
/// The size of the file never shows them (FALLOC_FL_KEEP_SIZE), so a reader never sees bytes that
/// were not written. A file system that cannot reserve, or has no room, is left alone: the write
/// itself will tell.
class Reservation {
 public:
  Reservation(DescriptorRef file, const Facts& facts, Reserve wish);
  ~Reservation() { trim(); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// Before a turn after `moved` bytes, of at most `expected` in all where that is known.
  void keep_ahead(Bytes moved, std::optional<Bytes> expected);
  /// The most a turn may move before keep_ahead() must be asked again.
  [[nodiscard]] Bytes turn() const;
  /// Gives back what was not written.
  void trim();

 private:
  void reserve(Bytes bytes);

  DescriptorRef file_;
  Reserve wish_;
  Bytes start_;         // where in the file the first byte goes
  Bytes reserved_ = 0;  // bytes from start_
};

}  // namespace headrace
