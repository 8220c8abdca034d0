#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "headrace/method.hpp"

namespace headrace {

// One read or one write that never waits for a peer, whatever the descriptor is and whoever owns
// it. EAGAIN means "not now" in every case.

/// How this source can be read without sleeping on a peer.
class Reader {
 public:
  Reader(DescriptorRef source, const Facts& facts);
  Result<std::size_t> read(std::span<std::byte> buffer, std::optional<Bytes> offset);
  /// Calls that move bytes (poll(2) moves none), refused ones too, since this was last asked.
  std::uint64_t take_calls() { return std::exchange(calls_, 0); }

 private:
  enum class Way { plain, receive, no_wait, poll_first };
  Result<std::size_t> read_if_ready(std::span<std::byte> buffer);

  DescriptorRef source_;
  Way way_ = Way::poll_first;
  std::uint64_t calls_ = 0;
};

/// How this destination can be written without sleeping on a peer.
class Writer {
 public:
  Writer(DescriptorRef destination, const Facts& facts);
  Result<std::size_t> write(std::span<const std::byte> bytes);
  /// Both in one call to a socket; elsewhere the head alone, while there is any.
  Result<std::size_t> write(std::span<const std::byte> head, std::span<const std::byte> bytes);
  /// A write may sleep although poll(2) said there is room: a terminal's can, for any size.
  [[nodiscard]] bool may_sleep() const { return way_ == Way::poll_first; }
  /// As for `Reader`.
  std::uint64_t take_calls() { return std::exchange(calls_, 0); }

 private:
  enum class Way { plain, send, no_wait, poll_first };
  Result<std::size_t> write_if_ready(std::span<const std::byte> bytes);

  DescriptorRef destination_;
  Way way_ = Way::poll_first;
  std::uint64_t calls_ = 0;
};

}  // namespace headrace
