#include "http/message/head.hpp"

#include <algorithm>

#include "http/message/characters.hpp"

namespace headrace::http {
namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t most_empty_lines = 2;  // before a head

std::size_t head_start(std::string_view bytes) {
  std::size_t start = 0;
  for (std::size_t lines = 0; lines < most_empty_lines; ++lines) {
    if (bytes.substr(start).starts_with(line_end)) start += line_end.size();
  }
  return start;
}

bool holds_control(std::string_view text) { return std::ranges::any_of(text, is_control); }

std::unexpected<Error> refused(HeadFault fault) {
  return std::unexpected(Error{.code = fault, .call = "print"});
}

std::optional<HeadFault> fault_of(const Fields& fields) {
  for (const Field& field : fields) {
    if (!is_token(field.name)) return HeadFault::bad_field_name;
    if (holds_control(field.value)) return HeadFault::control_byte;
  }
  return std::nullopt;
}

void append_fields(std::string& text, const Fields& fields) {
  text += line_end;
  for (const Field& field : fields) {
    text.append(field.name).append(": ").append(field.value).append(line_end);
  }
  text += line_end;
}

std::size_t size_of(const Fields& fields) {
  std::size_t size = 0;
  for (const Field& field : fields) size += field.name.size() + field.value.size() + 4;
  return size;
}

bool is_version(int minor) { return minor == 0 || minor == 1; }

bool is_target(std::string_view target) {
  return !target.empty() && !holds_control(target) && std::ranges::none_of(target, is_blank);
}

}  // namespace

std::optional<std::size_t> head_end(std::string_view bytes, std::size_t from) {
  const std::size_t start = head_start(bytes);
  // A CR that was the last byte when we looked is looked at again with what follows it.
  for (std::size_t at = std::max(start, from - std::min<std::size_t>(from, 1)); at < bytes.size();
       ++at) {
    if (!is_control(bytes[at])) continue;
    if (bytes[at] == '\r' && (at + 1 == bytes.size() || bytes[at + 1] == '\n')) continue;
    const bool ends_line = bytes[at] == '\n' && at > start && bytes[at - 1] == '\r';
    if (!ends_line) return at + 1;
    const std::size_t line_ends = at - 1;
    if (line_ends == start || bytes[line_ends - 1] == '\n') return at + 1;
  }
  return std::nullopt;
}

HeadFault oversized(std::string_view bytes) {
  const bool has_line = bytes.substr(head_start(bytes)).find('\n') != std::string_view::npos;
  return has_line ? HeadFault::head_too_long : HeadFault::target_too_long;
}

Result<std::string> print(const RequestHead& head) {
  if (!is_token(head.method)) return refused(HeadFault::bad_method);
  if (!is_target(head.target)) return refused(HeadFault::bad_target);
  if (!is_version(head.minor_version)) return refused(HeadFault::bad_version);
  if (const auto fault = fault_of(head.fields)) return refused(*fault);
  std::string text;
  text.reserve(head.method.size() + head.target.size() + size_of(head.fields) + 16);
  text.append(head.method).append(" ").append(head.target).append(" HTTP/1.");
  text += static_cast<char>('0' + head.minor_version);
  append_fields(text, head.fields);
  return text;
}

Result<std::string> print(const ResponseHead& head) {
  if (head.status < 100 || head.status > 999) return refused(HeadFault::bad_status_line);
  if (holds_control(head.reason)) return refused(HeadFault::control_byte);
  if (!is_version(head.minor_version)) return refused(HeadFault::bad_version);
  if (const auto fault = fault_of(head.fields)) return refused(*fault);
  std::string text;
  text.reserve(head.reason.size() + size_of(head.fields) + 24);
  text.append("HTTP/1.") += static_cast<char>('0' + head.minor_version);
  text.append(" ").append(std::to_string(head.status)).append(" ").append(head.reason);
  append_fields(text, head.fields);
  return text;
}

}  // namespace headrace::http
