#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headrace::http {

/// A Host field, or the authority of a URL, taken apart.
struct Host {
  std::string name;  ///< in lower case; an IPv6 address without its brackets; may be empty
  std::string port;  ///< digits, or empty
  friend bool operator==(const Host&, const Host&) = default;
};

/// Absent for what is no `uri-host [":" port]`: 400. An empty value is a Host with an empty name.
std::optional<Host> parse_host(std::string_view value);

/// Is it an IPv4 or IPv6 address? IPv6 without its brackets.
bool is_ip_literal(std::string_view name);

/// May a server that listens on a loopback address answer to this name?
///
/// A page in a browser can lead its own name to a loopback address (DNS rebinding), and then reads
/// what we serve; but it cannot change the Host field. So only an IP address, "localhost" and the
/// names that were allowed are answered. Case does not matter, nor one dot at the end.
bool host_allowed(std::string_view name, std::span<const std::string> allowed);

}  // namespace headrace::http
