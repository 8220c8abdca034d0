#include "transfer/head.hpp"

#include <sys/socket.h>

#include "methods/support/ends.hpp"
#include "methods/support/errno_table.hpp"
#include "sys/read_write.hpp"

namespace headrace {
namespace {

Result<std::size_t> send_some(const Course& course, bool body_follows) {
  const DescriptorRef destination = course.destination.descriptor;
  const Facts& facts = course.report.destination;
  if (!is_socket(facts.kind)) return Writer{destination, facts}.write(course.head);
  const int more = body_follows ? MSG_MORE : 0;
  return sys::send(destination, course.head, MSG_DONTWAIT | MSG_NOSIGNAL | more);
}

}  // namespace

Result<bool> send_head(Course& course, bool body_follows) {
  while (!course.head.empty()) {
    const auto sent = send_some(course, body_follows);
    if (!sent && classify(sent.error(), 0, false) == Ending::paused) return false;
    if (!sent) return std::unexpected(sent.error());
    if (*sent == 0 || *sent > course.head.size()) return fail("send", EIO);
    course.head_sent(*sent);
  }
  return true;
}

}  // namespace headrace
