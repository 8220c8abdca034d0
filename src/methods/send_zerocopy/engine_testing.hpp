#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "methods/send_zerocopy/engine.hpp"
#include "methods/send_zerocopy/error_queue.hpp"
#include "methods/send_zerocopy/reasons.hpp"
#include "methods/support/reasons.hpp"
#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/limits.hpp"
#include "support/temporary.hpp"

// What the tests of this engine share.
namespace headrace::send_zerocopy_testing {

using testing::connected_tcp;
using testing::denied;
using testing::Drain;
using testing::file_holding;
using testing::job_between;
using testing::job_of;
using testing::Mode;
using testing::offset_of;
using testing::open_pipe;
using testing::Pair;
using testing::Pipe;
using testing::random_bytes;
using testing::run_denied;

inline constexpr std::initializer_list<Mode> modes{Mode::blocking, Mode::nonblocking};
inline constexpr int roomy = 1 << 20;
// More than any socket here takes while nobody reads.
inline constexpr std::size_t too_much = 16 << 20;

inline void put(const Descriptor& destination, std::string_view bytes) {
  const auto written = ::write(destination.ref().number(), bytes.data(), bytes.size());
  ASSERT_EQ(written, static_cast<ssize_t>(bytes.size()));
}

inline Pipe pipe_holding(std::string_view bytes, Mode mode = Mode::blocking) {
  Pipe pipe = open_pipe(mode, roomy);
  put(pipe.writer, bytes);
  return pipe;
}

inline Bytes left_in(const Descriptor& pipe) {
  int bytes = 0;
  testing::must(::ioctl(pipe.ref().number(), FIONREAD, &bytes), "FIONREAD");
  return static_cast<Bytes>(bytes);
}

// A completion (POLLERR) or room to send.
inline void await(const Descriptor& socket, short event) {
  pollfd one{.fd = socket.ref().number(), .events = event, .revents = 0};
  testing::must(::poll(&one, 1, 10'000) - 1, "poll");
}

// Turn by turn until it is over, or waits for its source.
inline Progress carry_on(Engine& engine, const Descriptor& socket) {
  for (;;) {
    const Progress progress = engine.advance(everything);
    if (progress.ending != Ending::paused || progress.wait == Wait::source_readable) {
      return progress;
    }
    if (progress.wait == Wait::timer) await(socket, 0);
    if (progress.wait == Wait::destination_writable) await(socket, POLLOUT);
  }
}

inline int zerocopy_of(const Descriptor& socket) {
  return sys::getsockopt(socket.ref(), sys::option::zerocopy).value_or(-1);
}

inline bool nothing_queued(const Descriptor& socket) {
  const auto notice = sys::recvmsg_error_queue(socket.ref());
  return !notice && notice.error().code == std::errc::resource_unavailable_try_again;
}

inline bool skipped(int status) { return status == testing::cannot_deny; }

}  // namespace headrace::send_zerocopy_testing
