#include "http/message/utf8.hpp"

#include <optional>

#include "http/message/ascii.hpp"

namespace headrace::http {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
  char32_t code = 0;
  std::size_t size = 0;
};

/// What the first byte says: how many bytes, which of its bits count, and from which code on no
/// shorter form would do.
struct Lead {
  std::size_t size;
  unsigned bits;
  char32_t least;
};

std::optional<Lead> lead_of(unsigned char byte) {
  if (byte < 0x80) return Lead{1, 0x7FU, 0};
  if (byte >= 0xC2 && byte < 0xE0) return Lead{2, 0x1FU, 0x80};
  if (byte >= 0xE0 && byte < 0xF0) return Lead{3, 0x0FU, 0x800};
  if (byte >= 0xF0 && byte < 0xF5) return Lead{4, 0x07U, 0x10000};
  return std::nullopt;
}

/// The character at the start of `text`, which is not empty; absent where none is well-formed.
std::optional<Character> first_character(std::string_view text) {
  const auto lead = lead_of(static_cast<unsigned char>(text.front()));
  if (!lead || text.size() < lead->size) return std::nullopt;
  char32_t code = static_cast<unsigned char>(text.front()) & lead->bits;
  for (const char c : text.substr(1, lead->size - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) return std::nullopt;
    code = (code << 6U) | (byte & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < lead->least || code > 0x10FFFF || surrogate) return std::nullopt;
  return Character{code, lead->size};
}

bool can_be_shown(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool separator = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x061C || code == 0x200E || code == 0x200F ||
                         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return !control && !separator && !direction;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = first_character(text);
    if (!character) return false;
    text.remove_prefix(character->size);
  }
  return true;
}

std::string utf8_of_latin1(std::string_view text) {
  std::string utf8;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_ascii(c)) {
      utf8 += c;
    } else {
      utf8 += static_cast<char>(0xC0U | (byte >> 6U));
      utf8 += static_cast<char>(0x80U | (byte & 0x3FU));
    }
  }
  return utf8;
}

std::string shown(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto character = first_character(bytes);
    const std::size_t size = character ? character->size : 1;
    text += character && can_be_shown(character->code) ? bytes.substr(0, size) : replacement;
    bytes.remove_prefix(size);
  }
  return text;
}

}  // namespace headrace::http
