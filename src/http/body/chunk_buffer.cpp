#include "http/body/chunk_buffer.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "http/message/chunk_head.hpp"

namespace headrace::http {
namespace {

// Sixteen hexadecimal digits and the end of the line.
constexpr std::size_t longest_chunk_head = 18;
constexpr std::size_t most_behind_content = std::max(chunk_end.size(), last_chunk.size());

void copy(std::string_view text, std::byte* place) {
  std::ranges::copy(std::as_bytes(std::span(text)), place);
}

}  // namespace

ChunkBuffer::ChunkBuffer(std::span<const std::byte> head, std::size_t capacity)
    : head_(head.size()),
      front_(head.size() + longest_chunk_head),
      capacity_(capacity),
      bytes_(std::make_unique_for_overwrite<std::byte[]>(front_ + capacity + most_behind_content)) {
  // Far in front; each put moves it to where it is needed.
  std::ranges::copy(head, bytes_.get());
}

void ChunkBuffer::put_chunk(std::size_t content) {
  const std::string size = chunk_head(content);
  copy(size, bytes_.get() + front_ - size.size());
  copy(chunk_end, bytes_.get() + front_ + content);
  put(front_ - size.size(), front_ + content + chunk_end.size());
  content_end_ = front_ + content;
}

void ChunkBuffer::put_last_chunk() {
  copy(last_chunk, bytes_.get() + front_);
  put(front_, front_ + last_chunk.size());
}

void ChunkBuffer::put_head() { put(front_, front_); }

void ChunkBuffer::put(std::size_t begin, std::size_t end) {
  std::copy_backward(bytes_.get(), bytes_.get() + head_, bytes_.get() + begin);
  head_end_ = begin;
  begin_ = begin - std::exchange(head_, 0);
  end_ = end;
  content_end_ = front_;
}

ChunkBuffer::Sent ChunkBuffer::sent(std::size_t bytes) {
  const std::size_t from = std::exchange(begin_, begin_ + bytes);
  const std::size_t head = std::min(begin_, head_end_) - std::min(from, head_end_);
  const std::size_t first = std::clamp(from, front_, content_end_);
  const std::size_t last = std::clamp(begin_, front_, content_end_);
  return {.head = head, .content = {bytes_.get() + first, last - first}};
}

std::size_t ChunkBuffer::unsent_content() const {
  return content_end_ - std::clamp(begin_, front_, content_end_);
}

}  // namespace headrace::http
