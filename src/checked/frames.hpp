#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "checked/fault.hpp"
#include "hash/hash.hpp"
#include "headrace/bytes.hpp"

// The frames of docs/checked.md as values. Pure: no descriptor, no clock.
namespace headrace::checked {

inline constexpr std::uint16_t version = 1;
/// NAME_MAX: no file system of Linux knows longer ones.
inline constexpr std::size_t longest_name = 255;
inline constexpr std::size_t longest_text = 255;

/// The receiver's first word: until it has come the sender says nothing.
struct Greeting {
  friend bool operator==(const Greeting&, const Greeting&) = default;
};

struct Header {
  std::optional<Bytes> length;  ///< absent: the body comes in chunks
  std::string name;             ///< any bytes but NUL; to be shown, never a path
  friend bool operator==(const Header&, const Header&) = default;
};

struct Trailer {
  Bytes length = 0;
  Digest digest;
  friend bool operator==(const Trailer&, const Trailer&) = default;
};

enum class Verdict : std::uint16_t { ok = 0, mismatch = 1, failed = 2 };
/// "ok", "mismatch", "failed".
std::string_view name_of(Verdict verdict);

/// The receiver's last word.
struct Answer {
  Verdict verdict = Verdict::ok;
  std::uint32_t error_number = 0;  ///< errno of a failure, where there is one
  Bytes length = 0;                ///< bytes of the body that it has
  Digest digest;                   ///< of those
  std::string text;                ///< why it failed, for people
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// Every frame begins with a magic of its own.
inline constexpr std::size_t magic_size = 8;

using Encoded = std::vector<std::byte>;

Encoded encode(const Greeting& greeting);
/// A name is cut after 255 bytes and before the first NUL.
Encoded encode(const Header& header);
Encoded encode(const Trailer& trailer);
/// The text is cut after 255 bytes.
Encoded encode(const Answer& answer);

/// More must come: the frame has at least `bytes` bytes, counted from its start.
struct Need {
  std::size_t bytes = 0;
  friend bool operator==(const Need&, const Need&) = default;
};
/// A frame, a wish for more, or why it can never be a frame: told at the first byte that shows it.
template <class Frame>
using Decoded = std::variant<Frame, Need, Fault>;

/// Decodes the frame at the start of `bytes`; what follows it is not looked at.
Decoded<Greeting> decode_greeting(std::span<const std::byte> bytes);
Decoded<Header> decode_header(std::span<const std::byte> bytes);
Decoded<Trailer> decode_trailer(std::span<const std::byte> bytes);
Decoded<Answer> decode_answer(std::span<const std::byte> bytes);

/// Before each chunk of a body of unknown length stands its size; a size of 0 ends the body.
inline constexpr std::size_t chunk_head_size = 4;
using ChunkHead = std::span<std::byte, chunk_head_size>;
void encode_chunk_size(std::uint32_t size, ChunkHead head);
std::uint32_t decode_chunk_size(std::span<const std::byte, chunk_head_size> head);

}  // namespace headrace::checked
