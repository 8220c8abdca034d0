#include "transfer/confirm_end.hpp"

#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>

#include "sys/poll.hpp"
#include "sys/read_write.hpp"

namespace headrace {
namespace {

bool pipe_has_ended(DescriptorRef pipe) {
  std::array end{pollfd{.fd = pipe.number(), .events = POLLIN, .revents = 0}};
  const auto ready = sys::poll(end, std::chrono::milliseconds{0});
  return ready && (end[0].revents & POLLHUP) != 0 && (end[0].revents & POLLIN) == 0;
}

}  // namespace

bool at_end(const Job& job) {
  std::array<std::byte, 1> byte{};
  const DescriptorRef source = job.source.descriptor;
  if (job.offset) {
    const auto step = sys::pread(source, byte, *job.offset);
    return step && *step == 0;
  }
  if (is_socket(job.source_facts.kind)) {
    const auto step = sys::recv(source, byte, MSG_PEEK | MSG_DONTWAIT);
    return step && *step == 0;
  }
  return job.source_facts.kind == Kind::pipe && pipe_has_ended(source);
}

}  // namespace headrace
