#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/message/characters.hpp"

// ASCII only, whatever the locale.
namespace headrace::http {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr bool is_control_or_tab(char c) { return c == '\t' || is_control(c); }

/// Of a URL (RFC 3986 2.3): what never needs to be percent-encoded.
constexpr bool is_unreserved(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}
/// RFC 3986 2.2.
constexpr bool is_sub_delimiter(char c) {
  return std::string_view("!$&'()*+,;=").find(c) != std::string_view::npos;
}

constexpr char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

constexpr std::string lowered(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), [](char c) { return lowered(c); });
  return low;
}

/// Digits and nothing else, as a number that fits; no sign, no space.
template <std::unsigned_integral Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number = 0;
  const char* const end = std::to_address(text.end());
  const auto [stop, error] = std::from_chars(std::to_address(text.begin()), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace headrace::http
