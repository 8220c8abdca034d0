#include "cli/signals.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace headrace::cli {
namespace {

// A handler can only reach what is global.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> requested{false};
std::atomic<int> received{0};
std::atomic<int> wake{-1};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void on_signal(int number) {
  const int saved = errno;
  received.store(number);
  requested.store(true);
  const std::uint64_t one = 1;
  // The counter cannot overflow and there is nobody to tell a failure.
  if (::write(wake.load(), &one, sizeof one) < 0) errno = saved;
  errno = saved;
}

Result<void> handle(int number) {
  struct sigaction before{};
  if (::sigaction(number, nullptr, &before) != 0) return fail("sigaction", errno);
  if (before.sa_handler == SIG_IGN) return {};
  struct sigaction action{};
  action.sa_handler = on_signal;
  // No SA_RESTART: a call that sleeps must return to see the stop.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  if (::sigaction(number, &action, nullptr) != 0) return fail("sigaction", errno);
  return {};
}

Result<void> ignore(int number) {
  if (std::signal(number, SIG_IGN) == SIG_ERR) return fail("signal", errno);
  return {};
}

}  // namespace

Result<Stop> install_signals() {
  const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) return fail("eventfd", errno);
  wake.store(descriptor);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (const auto handled = handle(number); !handled) return std::unexpected(handled.error());
  }
  for (const int number : {SIGPIPE, SIGXFSZ}) {
    if (const auto ignored = ignore(number); !ignored) return std::unexpected(ignored.error());
  }
  return Stop{.requested = &requested, .wake = DescriptorRef{descriptor}};
}

int stopping_signal() { return received.load(); }

int status_of_signal(int number) {
  constexpr int signal_base = 128;  // the shells' convention
  return number > 0 ? signal_base + number : 1;
}

int status_of_stop() { return status_of_signal(stopping_signal()); }

}  // namespace headrace::cli
