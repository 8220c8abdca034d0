#pragma once

#include <optional>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"
#include "sys/pipe.hpp"

namespace headrace {

/// A pipe of our own between two ends, and how many bytes are in it.
///
/// It is never pooled: a pipe that held bytes when something failed must not be used again.
class TransitPipe {
 public:
  /// Opens a pipe and asks for `capacity`, then for the 1 MiB that an ordinary user may have. Being
  /// given less is not an error: read `capacity()` and `refusal()`.
  static Result<TransitPipe> open(Bytes capacity);

  /// One splice(2) into the pipe; 0 means the source has ended.
  Result<std::size_t> fill(DescriptorRef source, std::optional<Bytes> offset, std::size_t bytes);
  /// One splice(2) out of the pipe; 0 never happens while it holds bytes.
  Result<std::size_t> drain(DescriptorRef destination, unsigned flags = 0);

  [[nodiscard]] Bytes held() const { return held_; }
  [[nodiscard]] Bytes capacity() const { return capacity_; }
  /// Why it is smaller than asked for.
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }

 private:
  TransitPipe(sys::PipeEnds ends, Bytes capacity) : ends_(std::move(ends)), capacity_(capacity) {}

  sys::PipeEnds ends_;
  Bytes capacity_ = 0;
  std::optional<Error> refusal_;
  Bytes held_ = 0;
};

}  // namespace headrace
