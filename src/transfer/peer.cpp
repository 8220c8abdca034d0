#include "transfer/peer.hpp"

#include <sys/socket.h>

#include <array>

#include "methods/support/errno_table.hpp"
#include "net/outstanding.hpp"
#include "sys/pipe.hpp"
#include "sys/read_write.hpp"

namespace headrace {

std::optional<Bytes> outstanding(const Job& job) {
  const Kind kind = job.destination_facts.kind;
  const DescriptorRef destination = job.destination.descriptor;
  if (is_socket(kind)) return net::unacknowledged(destination);
  if (kind != Kind::pipe) return std::nullopt;
  const auto held = sys::fionread(destination);
  return held ? std::optional<Bytes>{*held} : std::nullopt;
}

Result<Said> listen_to_peer(DescriptorRef socket) {
  std::array<std::byte, 1> first{};
  const auto got = sys::recv(socket, first, MSG_PEEK | MSG_DONTWAIT);
  if (got) return *got > 0 ? Said::something : Said::the_end;
  if (classify(got.error(), 0, false) == Ending::paused) return Said::nothing;
  return std::unexpected(got.error());
}

}  // namespace headrace
