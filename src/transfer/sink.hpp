#pragma once

#include <optional>

#include "headrace/transfer.hpp"
#include "transfer/reservation.hpp"

namespace headrace {

/// The destination of one transfer, as far as it is a file: emptied once, given space ahead, left
/// with holes, and ended where its last byte is. Does nothing to anything else.
class Sink {
 public:
  /// Borrows all three.
  Sink(Plain destination, const Facts& facts, const Options& options);

  [[nodiscard]] Reservation& reservation() { return reservation_; }
  /// Once, where that was asked for: what stands behind the first `kept` new bytes goes.
  Result<void> empty(Bytes kept);
  /// Where both ends can say where a byte stands, holes of the source can stay holes.
  [[nodiscard]] bool may_leave_holes(const Job& job) const;
  /// The next bytes become a hole; false where they cannot.
  Result<bool> leave_hole(Bytes bytes);
  /// Bytes that became holes.
  [[nodiscard]] Bytes holes() const { return holes_; }
  /// Where in the source of `job` a block of the destination begins, `done` bytes after its start.
  [[nodiscard]] Bytes block_start(const Job& job, Bytes done) const;

  /// No byte will follow the `done` that are there.
  Result<void> end(Bytes done);
  /// Of those, the ones in shared extents; absent where nothing says so.
  [[nodiscard]] std::optional<Bytes> shared(Bytes done) const;

 private:
  DescriptorRef file_;
  const Facts& facts_;
  const Options& options_;
  Reservation reservation_;
  Bytes holes_ = 0;
  bool emptied_ = false;
};

}  // namespace headrace
