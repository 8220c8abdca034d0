#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace headrace {

/// Counts and offsets, in bytes. 64 bits everywhere: files of 4 GiB and more are ordinary.
using Bytes = std::uint64_t;

inline constexpr Bytes kibibyte = 1024;
inline constexpr Bytes mebibyte = 1024 * kibibyte;
inline constexpr Bytes gibibyte = 1024 * mebibyte;

/// No bound: a dedicated thread gives an engine the whole rest.
inline constexpr Bytes everything = std::numeric_limits<Bytes>::max();

/// Linux moves at most this much in one call, whatever it is asked for (sendfile(2), read(2)).
/// We always ask for the most: every extra call is a round trip that moves no bytes.
inline constexpr Bytes most_bytes_per_call = 0x7ffff000;

/// What to ask of one call when `remaining` bytes are still wanted.
constexpr std::size_t next_request(Bytes remaining, Bytes most = most_bytes_per_call) {
  return static_cast<std::size_t>(std::min(remaining, most));
}
static_assert(next_request(5) == 5);
static_assert(next_request(Bytes{1} << 40) == most_bytes_per_call);
static_assert(next_request(gibibyte, mebibyte) == mebibyte);

}  // namespace headrace
