#include "cli/serve_signals.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace headrace::cli {

namespace {

bool is_ignored(int number) {
  struct sigaction now{};
  return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

Result<ServeSignals> ServeSignals::block() {
  sigset_t steering{};
  sigemptyset(&steering);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    // Blocked, it would come although it is ignored.
    if (!is_ignored(number)) sigaddset(&steering, number);
  }
  if (const int error = ::pthread_sigmask(SIG_BLOCK, &steering, nullptr); error != 0) {
    return fail("pthread_sigmask", error);
  }
  const int signals = ::signalfd(-1, &steering, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) return fail("signalfd", errno);
  Descriptor owned{signals};
  const int over = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (over < 0) return fail("eventfd", errno);
  return ServeSignals{std::move(owned), Descriptor{over}};
}

Result<ServeSignals::Event> ServeSignals::wait() {
  for (;;) {
    std::array ends{pollfd{.fd = over_.ref().number(), .events = POLLIN, .revents = 0},
                    pollfd{.fd = signals_.ref().number(), .events = POLLIN, .revents = 0}};
    if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) return fail("poll", errno);
    if (ends[0].revents != 0) return Event::over;
    signalfd_siginfo info{};
    if (::read(signals_.ref().number(), &info, sizeof info) != sizeof info) continue;
    if (info.ssi_signo == SIGHUP) return Event::reopen_log;
    last_ = static_cast<int>(info.ssi_signo);
    return Event::end;
  }
}

void ServeSignals::over() const {
  const std::uint64_t one = 1;
  // The counter cannot overflow.
  if (::write(over_.ref().number(), &one, sizeof one) < 0) return;
}

}  // namespace headrace::cli
