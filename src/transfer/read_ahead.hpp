#pragma once

#include <string_view>

#include "headrace/method.hpp"

namespace headrace {

/// Asks the disk for what a transfer will read after what it reads now.
///
/// Only for a long range of a regular file that is not in the page cache; whether it is, four reads
/// that do not wait tell. On ext4 the kernel's own reading ahead leaves the disk idle whenever the
/// copying thread has to wait for a processor (docs/measurements/cold-reads.md).
/// Ownership: borrows the source. Position: stays.
class ReadAhead {
 public:
  /// Reads one byte at a few places; asks for nothing yet.
  ReadAhead(const Method& method, const Job& job);

  /// Before a turn after `moved` bytes of the job.
  void keep_ahead(Bytes moved);
  /// The most a turn may move before keep_ahead() must be asked again.
  [[nodiscard]] Bytes turn() const { return bytes_ > 0 ? window : everything; }
  /// For the leg's notes; empty where nothing was asked for.
  [[nodiscard]] std::string_view note() const;

 private:
  static constexpr Bytes window = 32 * mebibyte;

  DescriptorRef source_;
  Bytes offset_ = 0;
  Bytes bytes_ = 0;  // 0: nothing to be read ahead
  Bytes asked_ = 0;  // of them
};

}  // namespace headrace
