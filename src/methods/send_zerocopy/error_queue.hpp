#pragma once

#include <cstdint>
#include <optional>

#include "headrace/descriptor.hpp"
#include "sys/socket.hpp"

namespace headrace::sys {

namespace option {
extern const SocketOption zerocopy;  ///< SO_ZEROCOPY: MSG_ZEROCOPY means something
}  // namespace option

/// The kernel is done with the sends `first` to `last` of a socket, as its own counter of 32 bits
/// numbers those with MSG_ZEROCOPY (SO_EE_ORIGIN_ZEROCOPY).
struct ZerocopyNotice {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool copied = false;  ///< SO_EE_CODE_ZEROCOPY_COPIED
};

/// recvmsg(2) with MSG_ERRQUEUE and MSG_DONTWAIT: takes one message off the socket's error queue
/// and never waits; EAGAIN: there is none. The socket's pending error (SO_ERROR) is another thing
/// and stays. Absent: the message tells of something else. Only for sockets that have such a queue:
/// a unix socket takes this for an ordinary recvmsg(2).
Result<std::optional<ZerocopyNotice>> recvmsg_error_queue(DescriptorRef socket);

}  // namespace headrace::sys
