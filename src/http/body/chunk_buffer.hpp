#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "headrace/bytes.hpp"

namespace headrace::http {

/// One chunk between its size and its end, with a head before it perhaps, as one run of memory that
/// is sent bit by bit. Threads: one at a time.
class ChunkBuffer {
 public:
  /// `capacity`: the most content of one chunk. `head` goes before whatever is put first.
  ChunkBuffer(std::span<const std::byte> head, std::size_t capacity);

  /// Where the content of the next chunk is to be read to, when `empty()`.
  [[nodiscard]] std::span<std::byte> room() const { return {bytes_.get() + front_, capacity_}; }
  /// What was read to the room becomes a chunk; `content` is not 0, which would be the end.
  void put_chunk(std::size_t content);
  void put_last_chunk();
  /// Only the head; nothing where it has gone already.
  void put_head();

  [[nodiscard]] bool empty() const { return begin_ == end_; }
  [[nodiscard]] std::span<const std::byte> unsent() const {
    return {bytes_.get() + begin_, end_ - begin_};
  }

  struct Sent {
    std::size_t head = 0;
    std::span<const std::byte> content;
  };
  /// The first `bytes` of `unsent()` have gone; says what they were, apart from framing.
  Sent sent(std::size_t bytes);
  /// Bytes of content that are not sent yet.
  [[nodiscard]] std::size_t unsent_content() const;

 private:
  void put(std::size_t begin, std::size_t end);

  std::size_t head_;  // size of the head; 0 once it was put
  std::size_t front_;
  std::size_t capacity_;
  std::unique_ptr<std::byte[]> bytes_;  // the head and a chunk's size end at front_
  std::size_t begin_ = 0;               // bytes_[begin_, end_) is to be sent
  std::size_t end_ = 0;
  std::size_t head_end_ = 0;     // bytes before it are of the head
  std::size_t content_end_ = 0;  // the content is bytes_[front_, content_end_)
};

}  // namespace headrace::http
