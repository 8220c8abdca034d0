#include "sys/socket.hpp"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>

#include <array>
#include <cerrno>

namespace headrace::sys {

namespace option {
constinit const SocketOption reuse_address{SOL_SOCKET, SO_REUSEADDR, "getsockopt(SO_REUSEADDR)",
                                           "setsockopt(SO_REUSEADDR)"};
constinit const SocketOption send_buffer{SOL_SOCKET, SO_SNDBUF, "getsockopt(SO_SNDBUF)",
                                         "setsockopt(SO_SNDBUF)"};
constinit const SocketOption receive_buffer{SOL_SOCKET, SO_RCVBUF, "getsockopt(SO_RCVBUF)",
                                            "setsockopt(SO_RCVBUF)"};
constinit const SocketOption pending_error{SOL_SOCKET, SO_ERROR, "getsockopt(SO_ERROR)",
                                           "setsockopt(SO_ERROR)"};
constinit const SocketOption domain{SOL_SOCKET, SO_DOMAIN, "getsockopt(SO_DOMAIN)",
                                    "setsockopt(SO_DOMAIN)"};
constinit const SocketOption ipv6_only{IPPROTO_IPV6, IPV6_V6ONLY, "getsockopt(IPV6_V6ONLY)",
                                       "setsockopt(IPV6_V6ONLY)"};
constinit const SocketOption no_delay{IPPROTO_TCP, TCP_NODELAY, "getsockopt(TCP_NODELAY)",
                                      "setsockopt(TCP_NODELAY)"};
constinit const SocketOption congestion{IPPROTO_TCP, TCP_CONGESTION, "getsockopt(TCP_CONGESTION)",
                                        "setsockopt(TCP_CONGESTION)"};
}  // namespace option

namespace {

const sockaddr* raw(const SocketAddress& address) {
  return reinterpret_cast<const sockaddr*>(&address.storage);
}

sockaddr* raw(SocketAddress& address) { return reinterpret_cast<sockaddr*>(&address.storage); }

// Longer than any name the kernel has (TCP_CA_NAME_MAX is 16).
using NameBuffer = std::array<char, 64>;

}  // namespace

Result<Descriptor> socket(int family, int type, int protocol) {
  const int number = ::socket(family, type, protocol);
  if (number < 0) return fail("socket", errno);
  return Descriptor{number};
}

Result<void> bind(DescriptorRef socket, const SocketAddress& address) {
  if (::bind(socket.number(), raw(address), address.length) != 0) return fail("bind", errno);
  return {};
}

Result<void> listen(DescriptorRef socket, int backlog) {
  if (::listen(socket.number(), backlog) != 0) return fail("listen", errno);
  return {};
}

Result<Accepted> accept4(DescriptorRef listener, int flags) {
  SocketAddress peer{.length = sizeof(sockaddr_storage)};
  const int number = ::accept4(listener.number(), raw(peer), &peer.length, flags);
  if (number < 0) return fail("accept4", errno);
  return Accepted{Descriptor{number}, peer};
}

Result<void> connect(DescriptorRef socket, const SocketAddress& address) {
  if (::connect(socket.number(), raw(address), address.length) != 0) return fail("connect", errno);
  return {};
}

Result<void> shutdown(DescriptorRef socket, int how) {
  if (::shutdown(socket.number(), how) != 0) return fail("shutdown", errno);
  return {};
}

Result<SocketAddress> getsockname(DescriptorRef socket) {
  SocketAddress name{.length = sizeof(sockaddr_storage)};
  if (::getsockname(socket.number(), raw(name), &name.length) != 0) {
    return fail("getsockname", errno);
  }
  return name;
}

Result<SocketAddress> getpeername(DescriptorRef socket) {
  SocketAddress name{.length = sizeof(sockaddr_storage)};
  if (::getpeername(socket.number(), raw(name), &name.length) != 0) {
    return fail("getpeername", errno);
  }
  return name;
}

Result<int> getsockopt(DescriptorRef socket, const SocketOption& option) {
  int value = 0;
  socklen_t length = sizeof(value);
  if (::getsockopt(socket.number(), option.level, option.name, &value, &length) != 0) {
    return fail(option.get_call, errno);
  }
  return value;
}

Result<void> setsockopt(DescriptorRef socket, const SocketOption& option, int value) {
  if (::setsockopt(socket.number(), option.level, option.name, &value, sizeof(value)) != 0) {
    return fail(option.set_call, errno);
  }
  return {};
}

Result<std::string> getsockopt_name(DescriptorRef socket, const SocketOption& option) {
  NameBuffer name{};
  socklen_t length = name.size() - 1;  // the last byte stays zero
  if (::getsockopt(socket.number(), option.level, option.name, name.data(), &length) != 0) {
    return fail(option.get_call, errno);
  }
  return std::string(name.data());
}

Result<void> setsockopt_name(DescriptorRef socket, const SocketOption& option,
                             std::string_view name) {
  if (::setsockopt(socket.number(), option.level, option.name, name.data(),
                   static_cast<socklen_t>(name.size())) != 0) {
    return fail(option.set_call, errno);
  }
  return {};
}

Result<void> set_linger(DescriptorRef socket, int seconds) {
  const linger wanted{.l_onoff = 1, .l_linger = seconds};
  if (::setsockopt(socket.number(), SOL_SOCKET, SO_LINGER, &wanted, sizeof wanted) != 0) {
    return fail("setsockopt(SO_LINGER)", errno);
  }
  return {};
}

Result<Bytes> siocoutq(DescriptorRef socket) {
  int bytes = 0;
  if (::ioctl(socket.number(), SIOCOUTQ, &bytes) != 0) return fail("ioctl(SIOCOUTQ)", errno);
  return static_cast<Bytes>(bytes);
}

}  // namespace headrace::sys
