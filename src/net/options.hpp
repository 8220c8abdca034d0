#pragma once

#include <optional>
#include <string>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"
#include "headrace/result.hpp"

namespace headrace::net {

/// What the user wants of a socket.
struct SocketOptions {
  std::optional<Bytes> window;            ///< SO_SNDBUF and SO_RCVBUF
  std::optional<std::string> congestion;  ///< TCP_CONGESTION; overrides the loopback rule
};

/// What the kernel gave. It cuts to net.core.wmem_max and rmem_max in silence, and counts double.
struct Buffers {
  Bytes send = 0;
  Bytes receive = 0;
};

/// Asks for the window, before connect or listen: the TCP window scale is fixed by then.
Result<void> set_window(DescriptorRef socket, const SocketOptions& options);
Result<Buffers> buffers_of(DescriptorRef socket);

}  // namespace headrace::net
