#include "net/connection.hpp"

#include <sys/socket.h>

#include "sys/socket.hpp"

namespace headrace::net {

Result<Descriptor> open_stream(int family, const SocketOptions& options) {
  auto socket = sys::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (!socket) return socket;
  if (family != AF_UNIX) {
    // A head written before its body would wait 44 ms for an acknowledgement otherwise.
    const auto set = sys::setsockopt(socket->ref(), sys::option::no_delay, 1);
    if (!set) return std::unexpected(set.error());
  }
  const auto window = set_window(socket->ref(), options);
  if (!window) return std::unexpected(window.error());
  return socket;
}

Result<Connection> describe_connection(Descriptor socket, CongestionChoice congestion,
                                       std::string peer, bool peer_local) {
  const auto buffers = buffers_of(socket.ref());
  if (!buffers) return std::unexpected(buffers.error());
  Connection connection{.socket = std::move(socket),
                        .congestion = std::move(congestion.congestion),
                        .send_buffer = buffers->send,
                        .receive_buffer = buffers->receive,
                        .peer = std::move(peer),
                        .peer_local = peer_local,
                        .notes = {}};
  if (!congestion.note.empty()) connection.notes.push_back(std::move(congestion.note));
  return connection;
}

}  // namespace headrace::net
