#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "checked/frames.hpp"
#include "headrace/transfer.hpp"
#include "methods/support/ends.hpp"
#include "net/wait.hpp"

namespace headrace::checked {

/// Exactly so many bytes in or out of a descriptor, waiting for the peer with the bounds of the
/// transfer around it: the longest silence and the stop. Borrows the descriptor; changes no flag.
///
/// Errors: the failing call; "poll" with ETIMEDOUT after silence, with ECANCELED after a stop.
class Line {
 public:
  Line(DescriptorRef end, const Facts& facts, const Options& options);

  /// Writes all of `bytes`; `written` counts those that went, also when it fails.
  Result<void> write(std::span<const std::byte> bytes, Bytes& written);
  Result<void> write(std::span<const std::byte> bytes);
  /// Reads what is there, up to the size of `room`; waits for the first byte. 0: the end.
  Result<std::size_t> read_some(std::span<std::byte> room, std::optional<Bytes> offset = {});
  /// Fills all of `room`; fewer bytes only where the end came.
  Result<std::size_t> read_all(std::span<std::byte> room);

  /// Reads one frame and not a byte more. What cannot be one is left unread, so that closing tells
  /// the peer. `Fault::ended_early` where the end comes first.
  template <class Frame>
  Result<Frame> read_frame(Decoded<Frame> (*decode)(std::span<const std::byte>)) {
    frame_bytes_ = 0;
    Encoded bytes;
    for (;; frame_bytes_ = bytes.size()) {
      const auto decoded = decode(bytes);
      if (const auto* frame = std::get_if<Frame>(&decoded)) return *frame;
      if (const auto* fault = std::get_if<Fault>(&decoded)) return frame_fault(*fault);
      const std::size_t have = bytes.size();
      bytes.resize(std::get<Need>(decoded).bytes);
      const auto peeked = peek(std::span(bytes).subspan(have));
      if (!peeked) return std::unexpected(peeked.error());
      bytes.resize(have + *peeked);
      const auto looked = decode(bytes);
      if (const auto* fault = std::get_if<Fault>(&looked)) return frame_fault(*fault);
      const auto taken = read_all(std::span(bytes).subspan(have));
      if (!taken) return std::unexpected(taken.error());
    }
  }

  /// The last `read_frame` took the first bytes of a frame at least: the peer is one of ours.
  [[nodiscard]] bool frame_began() const { return frame_bytes_ >= magic_size; }

  /// Longest wait from now on, instead of the longest silence.
  void hurry(std::chrono::milliseconds limit) { idle_ = limit; }
  /// Heeds no stop any more: for the last words after one.
  void go_on_after_stop() { stop_ = {}; }
  /// While this line waits, input at `other` ends the wait with ECONNABORTED: somebody has
  /// something to say.
  void watch(DescriptorRef other) { other_ = other; }

  /// System calls made to move bytes so far, and waits between them.
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  [[nodiscard]] std::uint64_t waits() const { return waits_; }

 private:
  static std::unexpected<Error> frame_fault(Fault fault) {
    return std::unexpected(Error{fault, "frame"});
  }
  Result<std::size_t> peek(std::span<std::byte> room);
  Result<void> wait(short event);
  Result<bool> poll(short event, net::Deadline until);
  bool peer_took_bytes();

  DescriptorRef end_;
  bool is_socket_;
  Reader reader_;
  Writer writer_;
  std::optional<std::chrono::milliseconds> idle_;
  Stop stop_;
  DescriptorRef other_;
  std::optional<Bytes> unacknowledged_;
  std::size_t frame_bytes_ = 0;
  std::uint64_t calls_ = 0;
  std::uint64_t waits_ = 0;
};

}  // namespace headrace::checked
