#pragma once

#include <unistd.h>

#include <array>
#include <charconv>
#include <span>
#include <string>
#include <string_view>

#include "headrace/descriptor.hpp"
#include "support/must.hpp"

namespace headrace::testing {

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

inline std::string text_of(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += static_cast<char>(byte);
  return text;
}

inline void put(const Descriptor& destination, std::string_view text) {
  const auto written = ::write(destination.ref().number(), text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) give_up("write", "short");
}

/// What has come so far; nothing is waited for.
inline std::string taken_from(const Descriptor& source) {
  std::array<char, 4096> room{};
  std::string text;
  for (;;) {
    const auto got = ::read(source.ref().number(), room.data(), room.size());
    if (got <= 0) return text;
    text.append(room.data(), static_cast<std::size_t>(got));
  }
}

/// `content` in chunks of `size` bytes.
inline std::string in_chunks(std::string_view content, std::size_t size) {
  std::string text;
  for (std::size_t at = 0; at < content.size(); at += size) {
    const auto piece = content.substr(at, size);
    std::array<char, 16> digits{};
    const auto* const end = std::to_chars(digits.begin(), digits.end(), piece.size(), 16).ptr;
    text.append(std::string_view(digits.data(), end)).append("\r\n").append(piece).append("\r\n");
  }
  return text + "0\r\n\r\n";
}

}  // namespace headrace::testing
