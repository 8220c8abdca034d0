#pragma once

#include <optional>

#include "headrace/method.hpp"

namespace headrace {

/// What the destination's reader has not got yet: of a socket what its peer has not acknowledged,
/// of a pipe what stands in it. Absent where nothing tells.
std::optional<Bytes> outstanding(const Job& job);

enum class Said {
  nothing,
  something,  ///< it waits in the socket, and is left there
  the_end,    ///< its last word: it may still read
};

/// What the peer of a destination socket has said. Errors: it has broken the connection.
Result<Said> listen_to_peer(DescriptorRef socket);

}  // namespace headrace
