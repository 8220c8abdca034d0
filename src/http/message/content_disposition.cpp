#include "http/message/content_disposition.hpp"

#include <algorithm>

#include "http/message/ascii.hpp"
#include "http/message/field.hpp"
#include "http/message/percent.hpp"
#include "http/message/target.hpp"
#include "http/message/utf8.hpp"

namespace headrace::http {
namespace {

/// NAME_MAX: no file system of Linux knows longer ones.
constexpr std::size_t longest_name = 255;

/// Takes a quoted string whose opening quote has been taken; absent where it does not end.
std::optional<std::string> take_quoted(std::string_view& rest) {
  std::string text;
  while (!rest.empty() && rest.front() != '"') {
    if (rest.front() == '\\') rest.remove_prefix(1);
    if (rest.empty()) return std::nullopt;
    text += rest.front();
    rest.remove_prefix(1);
  }
  if (rest.empty()) return std::nullopt;
  rest.remove_prefix(1);
  return text;
}

struct Parameter {
  std::string_view name;
  std::string value;
};

/// Takes `; name=value` at the start of `rest`; absent at the end, or where it is something else.
std::optional<Parameter> take_parameter(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  rest.remove_prefix(1);  // the semicolon
  const std::size_t equals = std::min(rest.find('='), rest.size());
  const std::string_view name = trimmed(rest.substr(0, equals));
  rest.remove_prefix(std::min(equals + 1, rest.size()));
  rest = trimmed(rest);
  if (rest.starts_with('"')) {
    rest.remove_prefix(1);
    auto value = take_quoted(rest);
    rest.remove_prefix(std::min(rest.find(';'), rest.size()));
    if (!value) return std::nullopt;
    return Parameter{name, std::move(*value)};
  }
  const std::string_view value = rest.substr(0, rest.find(';'));
  rest.remove_prefix(value.size());
  return Parameter{name, std::string(trimmed(value))};  // with spaces too: they are sent
}

/// `UTF-8'en'percent%20encoded` as UTF-8 (RFC 8187 3.2.1).
std::optional<std::string> extended_value(std::string_view text) {
  const std::size_t first = text.find('\'');
  const std::size_t second = text.find('\'', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  const std::string_view charset = text.substr(0, first);
  auto decoded = percent_decoded(text.substr(second + 1));
  if (!decoded) return std::nullopt;
  if (same_token(charset, "ISO-8859-1")) return utf8_of_latin1(*decoded);
  if (!same_token(charset, "UTF-8") || !is_utf8(*decoded)) return std::nullopt;
  return decoded;
}

std::optional<std::string> safe_name(std::string_view proposed) {
  // A backslash too: to a sender on Windows it separates folders.
  std::string_view name = proposed.substr(proposed.find_last_of("/\\") + 1);
  name.remove_prefix(std::min(name.find_first_not_of(". \t"), name.size()));
  name = trimmed(name);
  if (name.empty() || name.size() > longest_name) return std::nullopt;
  if (std::ranges::any_of(name, is_control_or_tab)) return std::nullopt;
  return std::string(name);
}

/// Fit to stand in quotes and to mean itself there. Some decode a '%' that is not meant.
constexpr bool is_plain(char c) {
  return is_ascii(c) && !is_control_or_tab(c) && c != '"' && c != '\\' && c != '%';
}

}  // namespace

std::optional<std::string> disposition_file_name(std::string_view value) {
  std::optional<std::string> plain;
  std::optional<std::string> extended;
  value.remove_prefix(std::min(value.find(';'), value.size()));
  while (const auto parameter = take_parameter(value)) {
    if (!plain && same_token(parameter->name, "filename")) plain = safe_name(parameter->value);
    if (extended || !same_token(parameter->name, "filename*")) continue;
    if (const auto decoded = extended_value(parameter->value)) extended = safe_name(*decoded);
  }
  return extended ? extended : plain;  // RFC 6266 4.3
}

std::string content_disposition(std::string_view disposition, std::string_view file_name) {
  std::string plain(file_name);
  std::ranges::replace_if(plain, [](char c) { return !is_plain(c); }, '_');
  std::string value(disposition);
  value.append("; filename=\"").append(plain).append("\"");
  if (plain != file_name)
    value.append("; filename*=UTF-8''").append(encode_segment(shown(file_name)));
  return value;
}

}  // namespace headrace::http
