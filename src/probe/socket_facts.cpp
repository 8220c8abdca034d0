#include "probe/socket_facts.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <bit>
#include <cstring>

namespace headrace {
namespace {

int option(DescriptorRef socket, int level, int name) {
  int value = 0;
  socklen_t length = sizeof value;
  return ::getsockopt(socket.number(), level, name, &value, &length) == 0 ? value : 0;
}

Kind kind_of(DescriptorRef socket) {
  const int domain = option(socket, SOL_SOCKET, SO_DOMAIN);
  if (option(socket, SOL_SOCKET, SO_TYPE) != SOCK_STREAM) return Kind::socket;
  if (domain == AF_UNIX) return Kind::unix_stream;
  const bool internet = domain == AF_INET || domain == AF_INET6;
  return internet && option(socket, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_TCP ? Kind::tcp
                                                                            : Kind::socket;
}

std::string congestion_of(DescriptorRef socket) {
  std::array<char, 16> name{};  // TCP_CA_NAME_MAX
  socklen_t length = name.size();
  if (::getsockopt(socket.number(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &length) != 0) {
    return {};
  }
  return {name.data(), ::strnlen(name.data(), length)};
}

// The address without its port, as 16 bytes; IPv4 in its mapped form.
std::array<unsigned char, 16> host_of(const sockaddr_storage& address) {
  std::array<unsigned char, 16> host{};
  if (address.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
    std::memcpy(host.data(), &six.sin6_addr, host.size());
  } else {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    host[10] = host[11] = 0xff;
    std::memcpy(host.data() + 12, &four.sin_addr, 4);
  }
  return host;
}

bool loopback(const std::array<unsigned char, 16>& host) {
  const in6_addr six = std::bit_cast<in6_addr>(host);
  if (IN6_IS_ADDR_V4MAPPED(&six)) return host[12] == 127;
  return IN6_IS_ADDR_LOOPBACK(&six);
}

// A connection within one machine has both ends at the same address, unless somebody bound the
// near end to another of its addresses; those few are not recognised here.
bool peer_is_local(DescriptorRef socket) {
  sockaddr_storage near{};
  sockaddr_storage far{};
  socklen_t near_length = sizeof near;
  socklen_t far_length = sizeof far;
  if (::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&near), &near_length) != 0 ||
      ::getpeername(socket.number(), reinterpret_cast<sockaddr*>(&far), &far_length) != 0) {
    return false;
  }
  const auto host = host_of(far);
  return loopback(host) || host == host_of(near);
}

}  // namespace

void learn_socket(DescriptorRef socket, Facts& facts) {
  facts.kind = kind_of(socket);
  facts.send_buffer = static_cast<Bytes>(option(socket, SOL_SOCKET, SO_SNDBUF));
  facts.receive_buffer = static_cast<Bytes>(option(socket, SOL_SOCKET, SO_RCVBUF));
  if (facts.kind == Kind::unix_stream) facts.peer_local = true;
  if (facts.kind != Kind::tcp) return;
  facts.congestion = congestion_of(socket);
  facts.peer_local = peer_is_local(socket);
}

}  // namespace headrace
