#pragma once

#include <string>
#include <vector>

#include "headrace/transfer.hpp"

namespace headrace {

/// Blocks reserved in a regular file ahead of what is written, and given back at the end.
///
/// The size of the file never shows them (FALLOC_FL_KEEP_SIZE), so a reader never sees bytes that
/// were not written. Unless it is required, a file system that cannot reserve, or has no room, is
/// left alone: the write itself will tell.
class Reservation {
 public:
  Reservation(DescriptorRef file, const Facts& facts, Reserve wish);
  ~Reservation() { trim(); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// What is required, before the first byte: the whole of `expected`. An error leaves nothing
  /// reserved. To be called again where the file was emptied since.
  Result<void> claim(std::optional<Bytes> expected);
  /// Before a turn after `moved` bytes, of at most `expected` in all where that is known.
  void keep_ahead(Bytes moved, std::optional<Bytes> expected);
  /// The most a turn may move before keep_ahead() must be asked again.
  [[nodiscard]] Bytes turn() const;
  /// Nothing will be reserved ahead: the file is to have holes. What was required stays required.
  void forgo();
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
