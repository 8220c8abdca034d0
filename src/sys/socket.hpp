#pragma once

#include <sys/socket.h>

#include <string>
#include <string_view>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"
#include "headrace/result.hpp"

namespace headrace::sys {

/// A socket address of any family, as the kernel takes and gives it. `length` 0: none.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

/// A socket option; the names of the calls stand in the errors, because "setsockopt" alone does
/// not say which wish the kernel refused.
struct SocketOption {
  int level;
  int name;
  std::string_view get_call;
  std::string_view set_call;
};

namespace option {
extern const SocketOption reuse_address;   ///< SO_REUSEADDR
extern const SocketOption send_buffer;     ///< SO_SNDBUF: the kernel gives twice what is asked
extern const SocketOption receive_buffer;  ///< SO_RCVBUF: likewise
extern const SocketOption pending_error;   ///< SO_ERROR: reading it clears it
extern const SocketOption domain;          ///< SO_DOMAIN: the address family
extern const SocketOption ipv6_only;       ///< IPV6_V6ONLY
extern const SocketOption no_delay;        ///< TCP_NODELAY
extern const SocketOption congestion;      ///< TCP_CONGESTION: a name
}  // namespace option

struct Accepted {
  Descriptor socket;
  SocketAddress peer;  ///< known even when the peer has already gone
};

Result<Descriptor> socket(int family, int type, int protocol);
Result<void> bind(DescriptorRef socket, const SocketAddress& address);
Result<void> listen(DescriptorRef socket, int backlog);
Result<Accepted> accept4(DescriptorRef listener, int flags);
Result<void> connect(DescriptorRef socket, const SocketAddress& address);
Result<void> shutdown(DescriptorRef socket, int how);
Result<SocketAddress> getsockname(DescriptorRef socket);
Result<SocketAddress> getpeername(DescriptorRef socket);

Result<int> getsockopt(DescriptorRef socket, const SocketOption& option);
Result<void> setsockopt(DescriptorRef socket, const SocketOption& option, int value);
/// For options whose value is a name, which ends at the first zero byte.
Result<std::string> getsockopt_name(DescriptorRef socket, const SocketOption& option);
Result<void> setsockopt_name(DescriptorRef socket, const SocketOption& option,
                             std::string_view name);

/// setsockopt(2) SO_LINGER, on: with 0 seconds close(2) of a TCP socket resets the connection.
Result<void> set_linger(DescriptorRef socket, int seconds);

/// ioctl(2) SIOCOUTQ: what was handed to the socket and is not acknowledged by the peer.
Result<Bytes> siocoutq(DescriptorRef socket);

}  // namespace headrace::sys
