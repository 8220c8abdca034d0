#include "net/outstanding.hpp"

#include "sys/socket.hpp"

namespace headrace::net {

std::optional<Bytes> unacknowledged(DescriptorRef socket) {
  const auto bytes = sys::siocoutq(socket);
  if (!bytes) return std::nullopt;
  return *bytes;
}

}  // namespace headrace::net
