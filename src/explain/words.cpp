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
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  unsigned char before = 0;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    // U+0080 to U+009F steer a terminal too; in UTF-8 they are C2 80 to C2 9F.
    const bool steers = before == 0xc2 && code >= 0x80 && code <= 0x9f;
    before = code;
    if (code >= 0x20 && code != 0x7f && !steers) {
      shown += letter;
    } else {
      shown += "\\x";
      shown += digits[code / 16U];
      shown += digits[code % 16U];
    }
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
