#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "headrace/result.hpp"

namespace headrace::net {

/// Where a stream socket listens or connects to, as the user wrote it.
struct Address {
  enum class Family { tcp, unix_stream };
  Family family = Family::tcp;
  std::string host;  ///< tcp: name or number, IPv6 without brackets; empty: any (listen), loopback
  std::string port;  ///< tcp: number or service name
  std::string path;  ///< unix_stream: a path, or '@' and an abstract name
  friend bool operator==(const Address&, const Address&) = default;
};

/// Why a text is no address. Each has a message that names the accepted forms.
enum class AddressFault {
  empty = 1,
  url,
  port_missing,
  port_malformed,
  brackets_missing,
  brackets_malformed,
  host_malformed,
  path_missing,
};
const std::error_category& address_category();
std::error_code make_error_code(AddressFault fault);

/// Reads `HOST:PORT`, `[IPv6]:PORT`, `:PORT`, `unix:PATH` or `unix:@NAME`. Looks nothing up.
Result<Address> parse_address(std::string_view text);

/// The form parse_address() reads.
std::string to_string(const Address& address);

}  // namespace headrace::net

template <>
struct std::is_error_code_enum<headrace::net::AddressFault> : std::true_type {};
