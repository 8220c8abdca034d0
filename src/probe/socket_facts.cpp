#include "probe/socket_facts.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cstring>

#include "probe/local.hpp"
#include "sys/socket.hpp"

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

bool peer_is_local(DescriptorRef socket) {
  const auto peer = sys::getpeername(socket);
  return peer && is_local(*peer);
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
