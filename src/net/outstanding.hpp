#pragma once

#include <optional>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::net {

/// What was handed to this stream socket and is not yet acknowledged by the peer (SIOCOUTQ); absent
/// where that cannot be asked. For sockets only: a terminal answers something else.
///
/// TCP: exact, also after a reset; a FIN that is on its way counts as one byte more. Acknowledged
/// is not read. Unix sockets: memory, more than was sent; 0 means that the peer has read
/// everything, unless it has gone.
std::optional<Bytes> unacknowledged(DescriptorRef socket);

}  // namespace headrace::net
