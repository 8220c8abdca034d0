#include "methods/send_zerocopy/error_queue.hpp"

#include <netinet/in.h>

#include <ctime>
// It needs timespec and does not include it.
#include <linux/errqueue.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace headrace::sys {

namespace option {
constinit const SocketOption zerocopy{SOL_SOCKET, SO_ZEROCOPY, "getsockopt(SO_ZEROCOPY)",
                                      "setsockopt(SO_ZEROCOPY)"};
}  // namespace option

namespace {

bool holds_extended_error(const cmsghdr& part) {
  return (part.cmsg_level == SOL_IP && part.cmsg_type == IP_RECVERR) ||
         (part.cmsg_level == SOL_IPV6 && part.cmsg_type == IPV6_RECVERR);
}

std::optional<ZerocopyNotice> notice_in(msghdr& message) {
  sock_extended_err error{};
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (holds_extended_error(*part)) std::memcpy(&error, CMSG_DATA(part), sizeof error);
  }
  if (error.ee_origin != SO_EE_ORIGIN_ZEROCOPY) return std::nullopt;
  return ZerocopyNotice{.first = error.ee_info,
                        .last = error.ee_data,
                        .copied = (error.ee_code & SO_EE_CODE_ZEROCOPY_COPIED) != 0};
}

}  // namespace

Result<std::optional<ZerocopyNotice>> recvmsg_error_queue(DescriptorRef socket) {
  // The extended error, the address of its offender, and room for a timestamp.
  alignas(cmsghdr) std::array<std::byte, 256> control{};
  msghdr message{};
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (::recvmsg(socket.number(), &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
    return fail("recvmsg", errno);
  return notice_in(message);
}

}  // namespace headrace::sys
