#include "net/accept.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "net/socket_text.hpp"
#include "net/wait.hpp"
#include "probe/local.hpp"
#include "sys/socket.hpp"

namespace headrace::net {
namespace {

// The first three are no failure at all. accept(2): Linux hands over errors of the new connection's
// network here, and they say nothing about the listener.
bool is_transient(const std::error_code& code) {
  constexpr std::array numbers{EAGAIN,      EINTR,     ECONNABORTED, ENETDOWN,     EPROTO,
                               ENOPROTOOPT, EHOSTDOWN, ENONET,       EHOSTUNREACH, ENETUNREACH};
  return std::ranges::find(numbers, code.value()) != numbers.end();
}

// The listener's change is this socket's history: it was inherited.
Congestion with_history(Congestion own, const Congestion& inherited) {
  if (own.before.empty() && own.in_force == inherited.in_force) own.before = inherited.before;
  return own;
}

Result<Connection> prepare(sys::Accepted accepted, const Listener& listener,
                           const SocketOptions& options) {
  const DescriptorRef ref = accepted.socket.ref();
  const bool is_unix = accepted.peer.storage.ss_family == AF_UNIX;
  if (is_unix) {
    const auto window = set_window(ref, options);
    if (!window) return std::unexpected(window.error());
  } else {
    const auto set = sys::setsockopt(ref, sys::option::no_delay, 1);
    if (!set) return std::unexpected(set.error());
  }
  const bool local = is_local(accepted.peer);
  auto choice = choose_congestion(ref, local, options.congestion);
  if (!choice) return std::unexpected(choice.error());
  choice->congestion = with_history(std::move(choice->congestion), listener.congestion);
  // The connecting end of a unix socket seldom has a name; the path tells more.
  const std::string peer = is_unix ? listener.address : text_of(accepted.peer);
  return describe_connection(std::move(accepted.socket), std::move(*choice), peer, local);
}

}  // namespace

Result<Connection> accept(const Listener& listener, const SocketOptions& options, const Stop& stop,
                          std::optional<std::chrono::milliseconds> timeout) {
  const Deadline deadline = deadline_after(timeout);
  for (;;) {
    const auto woken = wait_for(listener.socket.ref(), POLLIN, deadline, stop);
    if (!woken) return std::unexpected(woken.error());
    if (*woken == Woken::stopped) return fail("accept4", ECANCELED);
    if (*woken == Woken::timed_out) return fail("accept4", ETIMEDOUT);
    auto accepted = sys::accept4(listener.socket.ref(), SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted) return prepare(std::move(*accepted), listener, options);
    if (!is_transient(accepted.error().code)) return std::unexpected(accepted.error());
    // A unix listener that was shut down stays readable for poll(2) and has nothing for accept4(2).
    if (deadline && Clock::now() >= *deadline) return fail("accept4", ETIMEDOUT);
  }
}

}  // namespace headrace::net
