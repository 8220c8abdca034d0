#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace headrace::http {

namespace characters {

constexpr std::array<bool, 256> token_table() {
  std::array<bool, 256> table{};
  for (std::size_t c = '0'; c <= '9'; ++c) table.at(c) = true;
  for (std::size_t c = 'a'; c <= 'z'; ++c) table.at(c) = table.at(c - 'a' + 'A') = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~"))
    table.at(static_cast<std::size_t>(c)) = true;
  return table;
}
inline constexpr std::array<bool, 256> in_tokens = token_table();

}  // namespace characters

/// A character of RFC 9110's tokens.
constexpr bool is_token_character(char c) {
  return characters::in_tokens[static_cast<unsigned char>(c)];
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// A control byte that no value may hold: all but the tab. CR and LF are two of them.
constexpr bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace headrace::http
