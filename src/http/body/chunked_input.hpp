#pragma once

#include <memory>
#include <span>

#include "headrace/bytes.hpp"
#include "headrace/result.hpp"
#include "http/message/chunk_decoder.hpp"

namespace headrace::http {

/// What has been read of a body that comes in chunks: takes the framing off, keeps what follows.
///
/// It touches no descriptor: an engine reads into `room()` and writes `content()`. It outlives the
/// engine, so that what was read behind the last chunk can be given back. Threads: one at a time.
class ChunkedInput {
 public:
  /// What read_write was measured to be best with.
  static constexpr Bytes default_buffer = 256 * kibibyte;

  /// `ahead`: what was read of the connection together with the head; copied. `most`: more content
  /// than that is a fault.
  explicit ChunkedInput(std::span<const std::byte> ahead, Bytes most = everything,
                        Bytes buffer = default_buffer);

  /// Goes on until there is content, or more must be read, or the body is over.
  /// Errors: a ChunkFault, or BodyFault::too_large; they are final.
  Result<void> decode();

  /// Decoded, and not delivered yet. Stays valid until `decode` is called again.
  [[nodiscard]] std::span<const std::byte> content() const { return content_; }
  /// The first `bytes` of `content()` are delivered.
  void delivered(std::size_t bytes) { content_ = content_.subspan(bytes); }
  /// The last chunk and the trailers have come; content may still be there to be delivered.
  [[nodiscard]] bool complete() const { return complete_; }

  /// Where to read on, when nothing is left to decode; then `filled` says how much came.
  [[nodiscard]] std::span<std::byte> room() const { return {buffer_.get(), capacity_}; }
  void filled(std::size_t bytes);

  /// Read and not delivered: content, and what is not decoded yet. 0 once the body is complete and
  /// delivered.
  [[nodiscard]] Bytes in_hand() const;
  /// What was read behind a complete body: the start of the next message.
  [[nodiscard]] std::span<const std::byte> surplus() const;

 private:
  [[nodiscard]] std::span<const std::byte> undecoded() const;

  std::size_t capacity_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t begin_ = 0;  // buffer_[begin_, end_) was read and is not decoded yet
  std::size_t end_ = 0;
  ChunkDecoder decoder_;
  std::span<const std::byte> content_;  // inside the buffer, before begin_
  Bytes left_;                          // of what is taken
  bool complete_ = false;
};

}  // namespace headrace::http
