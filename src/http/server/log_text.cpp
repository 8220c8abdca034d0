#include "http/server/log_text.hpp"

#include <array>
#include <charconv>

namespace headrace::http::server {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
constexpr char32_t replacement = 0xfffd;

constexpr unsigned code_of(char byte) { return static_cast<unsigned char>(byte); }

constexpr bool is_plain(char byte) {
  return byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
}

void append_hex(std::string& line, char byte) {
  line += {'\\', 'x', digits[code_of(byte) / 16], digits[code_of(byte) % 16]};
}

/// A letter of UTF-8 (RFC 3629), or the one byte that begins none.
struct Letter {
  char32_t code = replacement;
  std::size_t bytes = 1;
};

constexpr std::size_t length_behind(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

Letter first_letter(std::string_view text) {
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};  // no longer than needed
  const unsigned lead = code_of(text[0]);
  const std::size_t bytes = length_behind(lead);
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t code = bytes == 1 ? lead : lead & (0xffU >> (bytes + 1));
  for (std::size_t at = 1; at < bytes; ++at) {
    if ((code_of(text[at]) & 0xc0U) != 0x80) return {};
    code = (code << 6U) | (code_of(text[at]) & 0x3fU);
  }
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < least.at(bytes) || code > 0x10ffff || is_surrogate) return {};
  return {.code = code, .bytes = bytes};
}

void append_unit(std::string& line, char32_t unit) {
  line += {'\\',
           'u',
           digits[unit >> 12U],
           digits[(unit >> 8U) & 15U],
           digits[(unit >> 4U) & 15U],
           digits[unit & 15U]};
}

void append_unicode(std::string& line, char32_t code) {
  if (code < 0x10000) {
    append_unit(line, code);
    return;
  }
  append_unit(line, 0xd800 + ((code - 0x10000) >> 10U));
  append_unit(line, 0xdc00 + ((code - 0x10000) & 0x3ffU));
}

}  // namespace

void append_escaped(std::string& line, std::string_view text) {
  for (const char byte : text) {
    if (is_plain(byte)) {
      line += byte;
    } else {
      append_hex(line, byte);
    }
  }
}

void append_word(std::string& line, std::string_view text) {
  if (text.empty()) line += '-';
  for (const char byte : text) {
    if (is_plain(byte) && byte != ' ') {
      line += byte;
    } else {
      append_hex(line, byte);
    }
  }
}

void append_quoted(std::string& line, std::string_view text) {
  line += '"';
  append_escaped(line, text.empty() ? "-" : text);
  line += '"';
}

void append_json(std::string& line, std::string_view text) {
  line += '"';
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (is_plain(text[0])) {
      line += text[0];
    } else {
      append_unicode(line, letter.code);
    }
    text.remove_prefix(letter.bytes);
  }
  line += '"';
}

void append_number(std::string& line, std::uint64_t number) {
  std::array<char, 20> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  line.append(text.data(), end);
}

void append_seconds(std::string& line, double seconds) {
  std::array<char, 400> text{};  // the longest double
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed, 6);
  line.append(text.data(), end);
}

}  // namespace headrace::http::server
