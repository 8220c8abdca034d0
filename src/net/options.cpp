#include "net/options.hpp"

#include <limits>

#include "sys/socket.hpp"

namespace headrace::net {

Result<void> set_window(DescriptorRef socket, const SocketOptions& options) {
  if (!options.window) return {};
  constexpr int most = std::numeric_limits<int>::max();
  const int bytes = static_cast<int>(std::min<Bytes>(*options.window, most));
  auto set = sys::setsockopt(socket, sys::option::send_buffer, bytes);
  if (!set) return set;
  return sys::setsockopt(socket, sys::option::receive_buffer, bytes);
}

Result<Buffers> buffers_of(DescriptorRef socket) {
  const auto send = sys::getsockopt(socket, sys::option::send_buffer);
  if (!send) return std::unexpected(send.error());
  const auto receive = sys::getsockopt(socket, sys::option::receive_buffer);
  if (!receive) return std::unexpected(receive.error());
  return Buffers{static_cast<Bytes>(*send), static_cast<Bytes>(*receive)};
}

}  // namespace headrace::net
