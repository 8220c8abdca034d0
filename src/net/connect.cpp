#include "net/connect.hpp"

#include <poll.h>

#include <cerrno>
#include <cstring>

#include "net/resolve.hpp"
#include "net/wait.hpp"
#include "probe/local.hpp"
#include "sys/socket.hpp"

namespace headrace::net {
namespace {

Result<void> answer_of(Result<Woken> woken) {
  if (!woken) return std::unexpected(woken.error());
  if (*woken == Woken::stopped) return fail("connect", ECANCELED);
  if (*woken == Woken::timed_out) return fail("connect", ETIMEDOUT);
  return {};
}

Result<void> finish_handshake(DescriptorRef socket, Deadline deadline, const Stop& stop) {
  const auto waited = answer_of(wait_for(socket, POLLOUT, deadline, stop));
  if (!waited) return waited;
  const auto pending = sys::getsockopt(socket, sys::option::pending_error);
  if (!pending) return std::unexpected(pending.error());
  if (*pending != 0) return fail("connect", *pending);
  return {};
}

// EAGAIN: the listener of a unix socket has a full queue, and poll cannot tell when it has room.
Result<void> knock(DescriptorRef socket, const sys::SocketAddress& address, Deadline deadline,
                   const Stop& stop) {
  for (BackOff back_off;;) {
    const auto connected = sys::connect(socket, address);
    if (connected) return {};
    const auto& code = connected.error().code;
    if (code == std::errc::operation_in_progress || code == std::errc::interrupted) {
      return finish_handshake(socket, deadline, stop);
    }
    if (code != std::errc::resource_unavailable_try_again || address.storage.ss_family != AF_UNIX) {
      return connected;
    }
    const auto woken = wait_for(DescriptorRef{}, 0, back_off.next(deadline), stop);
    if (!woken || *woken == Woken::stopped) return answer_of(woken);
    if (deadline && Clock::now() >= *deadline) return fail("connect", ETIMEDOUT);
  }
}

// A connect to a port of this machine that nobody listens on can meet itself: the kernel may choose
// that very port for our end, and TCP then opens from both sides at once.
bool met_itself(DescriptorRef socket) {
  const auto here = sys::getsockname(socket);
  const auto there = sys::getpeername(socket);
  if (!here || !there || here->storage.ss_family == AF_UNIX) return false;
  return here->length == there->length &&
         std::memcmp(&here->storage, &there->storage, here->length) == 0;
}

Result<Connection> connect_one(const Resolved& resolved, const SocketOptions& options,
                               Deadline deadline, const Stop& stop) {
  auto socket = open_stream(resolved.address.storage.ss_family, options);
  if (!socket) return std::unexpected(socket.error());
  const bool local = is_local(resolved.address);
  auto congestion = choose_congestion(socket->ref(), local, options.congestion);
  if (!congestion) return std::unexpected(congestion.error());
  const auto connected = knock(socket->ref(), resolved.address, deadline, stop);
  if (!connected) return std::unexpected(connected.error());
  if (met_itself(socket->ref())) return fail("connect", ECONNREFUSED);
  return describe_connection(std::move(*socket), std::move(*congestion), resolved.text, local);
}

Deadline share_of(Deadline deadline, std::size_t addresses_left) {
  if (!deadline) return deadline;
  const auto left = *deadline - Clock::now();
  return Clock::now() + left / static_cast<Clock::rep>(addresses_left);
}

}  // namespace

Result<Connection> connect(const Address& address, const SocketOptions& options,
                           std::optional<std::chrono::milliseconds> timeout, const Stop& stop) {
  const Deadline deadline = deadline_after(timeout);
  const auto found = resolve(address, Use::connecting, deadline, stop);
  if (!found) return std::unexpected(found.error());
  Result<Connection> connection = fail("connect", EADDRNOTAVAIL);
  for (std::size_t tried = 0; tried < found->size(); ++tried) {
    if (stop_requested(stop)) return fail("connect", ECANCELED);
    const auto share = share_of(deadline, found->size() - tried);
    connection = connect_one((*found)[tried], options, share, stop);
    if (connection || connection.error().code == std::errc::operation_canceled) break;
  }
  return connection;
}

}  // namespace headrace::net
