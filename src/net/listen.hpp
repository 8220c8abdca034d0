#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headrace/descriptor.hpp"
#include "headrace/report.hpp"
#include "headrace/result.hpp"
#include "headrace/transfer.hpp"
#include "net/address.hpp"
#include "net/connection.hpp"
#include "net/options.hpp"
#include "net/socket_file.hpp"

namespace headrace::net {

/// A listening stream socket: non-blocking, close-on-exec. Destroying it removes its socket file.
struct Listener {
  Descriptor socket;
  std::string address;    ///< with the port the kernel chose: "127.0.0.1:40123", "unix:/run/x"
  Congestion congestion;  ///< accepted sockets start with it
  std::vector<std::string> notes;
  std::optional<SocketFile> file;
};

/// Listens on the first address of `address` that can be had. Port 0: the kernel chooses one.
///
/// `:PORT` takes IPv6 and IPv4 alike, where the machine has IPv6. A socket file that no process
/// has bound any more is replaced; anything else at a unix path is EADDRINUSE. A listener on a
/// loopback address gets reno before it listens, where a pacing control is in force.
Result<Listener> listen(const Address& address, const SocketOptions& options = {},
                        const Stop& stop = {});

}  // namespace headrace::net
