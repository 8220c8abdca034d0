#pragma once

#include <string>

#include "sys/socket.hpp"

namespace headrace::net {

/// A socket address for people: "127.0.0.1:80", "[::1]:80", "unix:/run/x", "unix:@name"; "unix:"
/// for a unix socket without a name. IPv4 in IPv6 clothes is shown as the IPv4 it is. Numbers only.
std::string text_of(const sys::SocketAddress& address);

}  // namespace headrace::net
