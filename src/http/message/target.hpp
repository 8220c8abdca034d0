#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "headrace/result.hpp"

namespace headrace::http {

/// What a request names (RFC 9112 3.2).
struct Target {
  std::string path;       ///< decoded once, byte-exact; begins with '/'; empty for "*"
  std::string query;      ///< behind the first '?', as sent; empty where there is none
  std::string authority;  ///< of the absolute form, as sent; else empty
  bool asterisk = false;  ///< "*": the server itself (OPTIONS)
  friend bool operator==(const Target&, const Target&) = default;
};

/// Why a target names nothing here.
enum class TargetFault {
  malformed = 1,  ///< of no form we take: not "/...", "http://..." nor "*"
  character,      ///< a space, a control character or '#'
  escape,         ///< '%' without two hexadecimal digits
  nul,            ///< "%00": no file has it in its name
  dots,           ///< a segment "." or "..", plain or encoded
  slash,          ///< "%2F" inside a segment: no file has it in its name
};
const std::error_category& target_category();
std::error_code make_error_code(TargetFault fault);
/// The status that answers it: 400, or 404 where the target is well-formed and names no file.
int answering_status(TargetFault fault);

/// Reads the origin form, the absolute form (http and https, by its path) and "*".
///
/// The path has no empty segment but the last: "//a///b/" is "/a/b/". Nothing is decoded twice, and
/// nothing is resolved: a dot segment is a fault.
Result<Target> parse_target(std::string_view text);

/// One name as a segment of a URL: everything but A-Z a-z 0-9 - . _ ~ is percent-encoded. Fit for
/// a header and for an attribute of HTML.
std::string encode_segment(std::string_view name);
/// Likewise for a path, whose slashes stay.
std::string encode_path(std::string_view path);

}  // namespace headrace::http

template <>
struct std::is_error_code_enum<headrace::http::TargetFault> : std::true_type {};
