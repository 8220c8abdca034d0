#include "http/body/chunked_input.hpp"

#include <algorithm>

#include "http/body/body_fault.hpp"

namespace headrace::http {
namespace {

// As for read_write: beyond this size memory is copied slower, not faster.
constexpr Bytes largest_buffer = 16 * mebibyte;

std::size_t size_for(std::span<const std::byte> ahead, Bytes buffer) {
  const auto wished = static_cast<std::size_t>(std::clamp(buffer, Bytes{1}, largest_buffer));
  return std::max(wished, ahead.size());
}

}  // namespace

ChunkedInput::ChunkedInput(std::span<const std::byte> ahead, Bytes most, Bytes buffer)
    : capacity_(size_for(ahead, buffer)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(capacity_)),
      end_(ahead.size()),
      left_(most) {
  std::ranges::copy(ahead, buffer_.get());
}

Result<void> ChunkedInput::decode() {
  while (content_.empty() && !complete_ && begin_ < end_) {
    const auto step = decoder_.decode(undecoded());
    if (!step) return std::unexpected(step.error());
    begin_ += step->consumed;
    if (step->data.size() > left_) return std::unexpected(Error{BodyFault::too_large, "body"});
    left_ -= step->data.size();
    content_ = step->data;
    complete_ = step->finished;
  }
  return {};
}

void ChunkedInput::filled(std::size_t bytes) {
  begin_ = 0;
  end_ = bytes;
}

Bytes ChunkedInput::in_hand() const {
  return content_.size() + (complete_ ? 0 : undecoded().size());
}

std::span<const std::byte> ChunkedInput::surplus() const {
  return complete_ ? undecoded() : std::span<const std::byte>{};
}

std::span<const std::byte> ChunkedInput::undecoded() const {
  return {buffer_.get() + begin_, end_ - begin_};
}

}  // namespace headrace::http
