#pragma once

#include "sys/socket.hpp"

namespace headrace {

/// 127.0.0.0/8, ::1, and the former in IPv6 clothes.
bool is_loopback(const sys::SocketAddress& address);

/// Is whoever has this address on this machine? Unix sockets, loopback, the unspecified address
/// (connecting to it reaches loopback), and every address of our own interfaces as they are now.
/// A peer in another network namespace of this machine has an address of its own: not seen.
bool is_local(const sys::SocketAddress& address);

}  // namespace headrace
