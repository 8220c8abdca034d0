#include "http/message/head_scan.hpp"

#include <algorithm>
#include <optional>

#include "http/message/characters.hpp"

namespace headrace::http {
namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::string_view head_ending = "\r\n\r\n";
constexpr std::string_view version_form = "HTTP/1.1";

using Found = std::optional<HeadFault>;

/// Takes the first line off `head`. There is one: each line before the empty one has its end.
std::string_view take_line(std::string_view& head) {
  const std::size_t end = head.find('\r');
  const std::string_view line = head.substr(0, end);
  head.remove_prefix(end + line_end.size());
  return line;
}

/// The bytes of the head: head_end() has looked at each, and at the first bad one it has stopped.
Found fault_of_bytes(std::string_view bytes, const HeadLimits& limits) {
  if (bytes.size() > limits.most) return oversized(bytes.substr(0, limits.most));
  const auto end = head_end(bytes);
  if (!end) return HeadFault::incomplete;
  if (!bytes.substr(0, *end).ends_with(head_ending)) {
    const char last = bytes[*end - 1];
    return last == '\r' || last == '\n' ? HeadFault::bad_line_ending : HeadFault::control_byte;
  }
  if (*end != bytes.size()) return HeadFault::malformed;
  return std::nullopt;
}

Found fault_of_version(std::string_view text) {
  const bool formed = text.size() == version_form.size() && text.starts_with("HTTP/") &&
                      is_digit(text[5]) && text[6] == '.' && is_digit(text[7]);
  if (!formed) return HeadFault::bad_version;
  if (text[5] != '1') return HeadFault::version_not_supported;
  return std::nullopt;
}

bool is_later_version(std::string_view text) { return text.back() > '1'; }

Found fault_of_request_line(std::string_view line) {
  const std::size_t method_end = line.find(' ');
  const std::size_t target_end = line.rfind(' ');
  if (method_end == std::string_view::npos) return HeadFault::bad_request_line;
  if (!is_token(line.substr(0, method_end))) return HeadFault::bad_method;
  if (method_end == target_end) return HeadFault::bad_version;  // there is none, as in HTTP/0.9
  const auto target = line.substr(method_end + 1, target_end - method_end - 1);
  if (target.empty() || std::ranges::any_of(target, is_blank)) return HeadFault::bad_target;
  return fault_of_version(line.substr(target_end + 1));
}

Found fault_of_status_line(std::string_view line) {
  constexpr std::size_t code = version_form.size() + 1;
  constexpr std::size_t code_end = code + 3;
  if (const auto fault = fault_of_version(line.substr(0, version_form.size()))) return fault;
  const bool formed = line.size() >= code_end && line[code - 1] == ' ' && line[code] != '0' &&
                      std::ranges::all_of(line.substr(code, 3), is_digit) &&
                      (line.size() == code_end || line[code_end] == ' ');
  if (!formed) return HeadFault::bad_status_line;
  return std::nullopt;
}

/// What the names of the fields tell.
struct Names {
  std::size_t fields = 0;
  std::size_t hosts = 0;
  std::size_t lengths = 0;
  std::size_t codings = 0;
  bool folded = false;
};

Found count_field(std::string_view line, Names& names) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return HeadFault::bad_field_name;
  const std::string_view name = line.substr(0, colon);
  if (is_blank(name.back())) return HeadFault::space_before_colon;
  if (!is_token(name)) return HeadFault::bad_field_name;
  ++names.fields;
  if (same_token(name, "host")) ++names.hosts;
  if (same_token(name, "content-length")) ++names.lengths;
  if (same_token(name, "transfer-encoding")) ++names.codings;
  return std::nullopt;
}

enum class Folds { refused, joined };

/// `lines` follow the first one and end with the empty one.
Found count_fields(std::string_view lines, Folds folds, const HeadLimits& limits, Names& names) {
  while (lines.size() > line_end.size()) {
    const std::string_view line = take_line(lines);
    if (is_blank(line.front())) {
      if (folds == Folds::refused || names.fields == 0) return HeadFault::folded_field;
      names.folded = true;
    } else if (const auto fault = count_field(line, names)) {
      return fault;
    }
    if (names.fields > limits.most_fields) return HeadFault::too_many_fields;
  }
  // Framing is framing_of()'s; these two only bear their own name, where the parser has another.
  if (names.lengths > 0 && names.codings > 0) return HeadFault::length_and_coding;
  if (names.lengths > 1) return HeadFault::several_lengths;
  return std::nullopt;
}

std::unexpected<Error> refused(HeadFault fault, std::string_view call) {
  return std::unexpected(Error{.code = fault, .call = call});
}

}  // namespace

Result<HeadScan> scan_request(std::string_view bytes, const HeadLimits& limits) {
  constexpr std::string_view call = "parse_request";
  if (const auto fault = fault_of_bytes(bytes, limits)) return refused(*fault, call);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(line_end), bytes.size() - line_end.size()));
  std::string_view rest = bytes;
  const std::string_view line = take_line(rest);
  if (const auto fault = fault_of_request_line(line)) return refused(*fault, call);
  Names names;
  if (const auto fault = count_fields(rest, Folds::refused, limits, names)) {
    return refused(*fault, call);
  }
  if (names.hosts > 1) return refused(HeadFault::several_hosts, call);
  if (names.hosts == 0 && !line.ends_with('0')) return refused(HeadFault::no_host, call);
  return HeadScan{.head = bytes, .fields = names.fields, .odd = is_later_version(line)};
}

Result<HeadScan> scan_response(std::string_view bytes, const HeadLimits& limits) {
  constexpr std::string_view call = "parse_response";
  if (const auto fault = fault_of_bytes(bytes, limits)) return refused(*fault, call);
  std::string_view rest = bytes;
  const std::string_view line = take_line(rest);
  if (const auto fault = fault_of_status_line(line)) return refused(*fault, call);
  Names names;
  if (const auto fault = count_fields(rest, Folds::joined, limits, names)) {
    return refused(*fault, call);
  }
  const bool no_reason = line.size() == version_form.size() + 4;
  const bool odd = names.folded || no_reason || is_later_version(line.substr(0, 8));
  return HeadScan{.head = bytes, .fields = names.fields, .odd = odd};
}

std::string plain_form(std::string_view head) {
  std::string_view rest = head;
  std::string plain{take_line(rest)};
  // The version stands first in a status line, last in a request's.
  const bool is_response = plain.starts_with("HTTP/");
  char& minor = is_response ? plain[version_form.size() - 1] : plain.back();
  minor = std::min(minor, '1');
  if (is_response && plain.size() == version_form.size() + 4) plain += ' ';
  while (rest.size() > line_end.size()) {
    const std::string_view line = take_line(rest);
    if (is_blank(line.front())) {
      while (is_blank(plain.back())) plain.pop_back();
      plain.append(" ").append(trimmed(line));
    } else {
      plain.append(line_end).append(line);
    }
  }
  return plain.append(head_ending);
}

}  // namespace headrace::http
