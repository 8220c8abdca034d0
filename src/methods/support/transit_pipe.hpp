#pragma once

#include <optional>
#include <string>
#include <vector>

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
  /// One call of the caller's own into the pipe: `call` takes the writing end and answers with a
  /// `Result` how many of `bytes` bytes went in.
  template <class Call>
  Result<std::size_t> fill_by(std::size_t bytes, const Call& call) {
    Result<std::size_t> step = call(ends_.writer.ref());
    count_filled(step, bytes);
    return step;
  }
  /// One splice(2) out of the pipe; 0 never happens while it holds bytes.
  Result<std::size_t> drain(DescriptorRef destination, unsigned flags = 0);

  [[nodiscard]] Bytes held() const { return held_; }
  [[nodiscard]] Bytes capacity() const { return capacity_; }
  /// Why it is smaller than asked for.
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  /// For a report, where it is smaller than asked for: "pipe of 65536 bytes, 1048576 refused: ...".
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  TransitPipe(sys::PipeEnds ends, Bytes asked, Bytes capacity)
      : ends_(std::move(ends)), asked_(asked), capacity_(capacity) {}

  void count_filled(const Result<std::size_t>& step, std::size_t bytes);

  sys::PipeEnds ends_;
  Bytes asked_;
  Bytes capacity_;
  std::optional<Error> refusal_;
  Bytes held_ = 0;
};

}  // namespace headrace
