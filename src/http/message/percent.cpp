#include "http/message/percent.hpp"

#include "http/message/ascii.hpp"

namespace headrace::http {
namespace {

std::optional<unsigned> hexadecimal_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  const char low = lowered(c);
  if (low >= 'a' && low <= 'f') return static_cast<unsigned>(low - 'a' + 10);
  return std::nullopt;
}

}  // namespace

std::string percent_encoded(std::string_view text, bool (*keeps)(char)) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (keeps(c)) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded.append({'%', digits[byte >> 4U], digits[byte & 0xFU]});
    }
  }
  return encoded;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const auto high = hexadecimal_value(text[i + 1]);
    const auto low = hexadecimal_value(text[i + 2]);
    if (!high || !low) return std::nullopt;
    decoded += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return decoded;
}

}  // namespace headrace::http
