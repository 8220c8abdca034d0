#include "explain/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "headrace/explain.hpp"

namespace headrace::explain {
namespace {

// Wide enough for "passed over" and "destination" with two spaces behind.
constexpr std::size_t label_width = 13;

// Like printf("%.*f"), but never with the decimal comma of somebody's locale.
std::string fixed(double value, int decimals) {
  std::array<char, 400> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::fixed, decimals);
  return error == std::errc{} ? std::string(text.data(), end) : "?";
}

struct Letter {
  std::size_t bytes = 1;
  bool shown = false;
};

// What moves the cursor, or turns the reading direction round: C0, DEL, C1 and the bidi controls.
bool steers(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x061c || code == 0x200e ||
         code == 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

bool is_code_point(char32_t code, std::size_t bytes) {
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};  // no longer than needed
  return code >= least.at(bytes) && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

// How long the letter is that begins with this byte; 0: none begins so.
std::size_t bytes_behind(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc0 || lead >= 0xf8) return 0;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

// The first letter of UTF-8 text (RFC 3629); a byte that begins none stands for itself.
Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  const std::size_t bytes = bytes_behind(lead);
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t code = bytes == 1 ? lead : lead & (0xffU >> (bytes + 1));
  for (std::size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xc0U) != 0x80) return {};
    code = (code << 6U) | (byte(at) & 0x3fU);
  }
  if (!is_code_point(code, bytes)) return {};
  return {.bytes = bytes, .shown = !steers(code)};
}

std::string escaped(char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(byte);
  return {'\\', 'x', digits[code / 16U], digits[code % 16U]};
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

std::string describe(const Error& error) {
  std::string text(error.call);
  text += (error.call.empty() ? "" : ": ") + error.code.message();
  const bool is_errno = error.code.category() == std::system_category() ||
                        error.code.category() == std::generic_category();
  const char* name = is_errno ? ::strerrorname_np(error.code.value()) : nullptr;
  return name == nullptr ? text : text + " (" + name + ")";
}

std::string format_seconds(double seconds) {
  constexpr double one_microsecond = 1e-6;
  if (!(seconds >= one_microsecond)) return "0 s";
  if (seconds >= 100) return fixed(seconds, 0) + " s";
  if (seconds >= 0.1) return fixed(seconds, 2) + " s";
  const double milliseconds = seconds * 1000;
  if (milliseconds >= 10) return fixed(milliseconds, 1) + " ms";
  return fixed(milliseconds, milliseconds >= 1 ? 2 : 3) + " ms";
}

std::string counted(std::uint64_t count, std::string_view noun) {
  std::string text = std::to_string(count) + " ";
  text += noun;
  return count == 1 ? text : text + "s";
}

std::string exact_size(Bytes bytes) {
  if (bytes < kibibyte) return counted(bytes, "byte");
  Bytes unit = kibibyte;
  while (bytes / unit >= kibibyte) unit *= kibibyte;
  if (bytes % unit == 0) return format_size(bytes);
  return format_size(bytes) + " (" + counted(bytes, "byte") + ")";
}

std::string_view name_of(const Method* method) {
  return method == nullptr ? std::string_view("none") : method->name;
}

std::string describe(const Refusal& refusal) {
  std::string text(name_of(refusal.method));
  text += ": ";
  text += refusal.reason.code;
  std::string why(refusal.reason.text);
  if (!refusal.detail.empty()) why += (why.empty() ? "" : "; ") + printable(refusal.detail);
  return why.empty() ? text : text + " (" + why + ")";
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.shown) {
      shown += text.substr(0, letter.bytes);
    } else {
      for (const char one : text.substr(0, letter.bytes)) shown += escaped(one);
    }
    text.remove_prefix(letter.bytes);
  }
  return shown;
}

std::string labelled(std::string_view label, std::string_view text) {
  std::string line = "  " + padded(std::string(label), label_width);
  line += text;
  return line + "\n";
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i + 1 < row.size() ? padded(row[i], widths[i]) + "  " : row[i];
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace headrace::explain
