#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "headrace/result.hpp"

namespace headrace::http {

/// An http or https URL, taken apart. A fragment is dropped: no server sees it.
struct Url {
  std::string scheme;  ///< "http" or "https"
  std::string host;    ///< in lower case; an IPv6 address without its brackets, its zone behind '%'
  std::string port;    ///< a number from 1 to 65535; 80 or 443 where the text has none
  std::string target;  ///< path and query as a request sends them; begins with '/'
  friend bool operator==(const Url&, const Url&) = default;
};

/// Why a text is no URL for us. Each has a message that says what is wrong.
enum class UrlFault {
  scheme_missing = 1,
  scheme_unknown,
  user_info,
  host_missing,
  host_malformed,
  port_malformed,
  control_character,
};
const std::error_category& url_category();
std::error_code make_error_code(UrlFault fault);

/// Reads an absolute URL. Dot segments are removed, as RFC 3986 5.2.4 says; spaces and other bytes
/// that a URL cannot have are percent-encoded; what is percent-encoded already stays as it is.
Result<Url> parse_url(std::string_view text);
/// The URL a reference (of a Location field) means, seen from `base` (RFC 3986 5.2).
Result<Url> resolve(const Url& base, std::string_view reference);

/// The form parse_url() reads, without the port where it is the scheme's own.
std::string to_string(const Url& url);
/// The value of a Host field: no scheme, no zone, no port where it is the scheme's own.
std::string host_field(const Url& url);
/// Scheme, host and port: two URLs of one origin have one server.
std::string origin(const Url& url);
/// The last segment of the path, decoded: what a file fetched from here is called.
///
/// Empty where there is none that a file can have: never '/' or NUL in it, never "." or "..".
std::string file_name(const Url& url);

}  // namespace headrace::http

template <>
struct std::is_error_code_enum<headrace::http::UrlFault> : std::true_type {};
