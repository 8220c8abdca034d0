#include "net/listen.hpp"

#include <sys/socket.h>

#include <cerrno>

#include "net/resolve.hpp"
#include "net/socket_text.hpp"
#include "probe/local.hpp"
#include "sys/socket.hpp"

namespace headrace::net {
namespace {

Result<void> bind_tcp(DescriptorRef socket, const Address& address, const Resolved& resolved) {
  const auto reuse = sys::setsockopt(socket, sys::option::reuse_address, 1);
  if (!reuse) return reuse;
  if (address.host.empty() && resolved.address.storage.ss_family == AF_INET6) {
    const auto both = sys::setsockopt(socket, sys::option::ipv6_only, 0);
    if (!both) return both;
  }
  return sys::bind(socket, resolved.address);
}

Result<void> bind_unix(DescriptorRef socket, const Address& address, const Resolved& resolved) {
  auto bound = sys::bind(socket, resolved.address);
  if (bound || bound.error().code != std::errc::address_in_use) return bound;
  if (address.path.starts_with('@')) return bound;
  if (!remove_stale_socket(address.path, resolved.address)) return bound;
  return sys::bind(socket, resolved.address);
}

Result<void> bind_any(DescriptorRef socket, const Address& address, const Resolved& resolved) {
  return address.family == Address::Family::unix_stream ? bind_unix(socket, address, resolved)
                                                        : bind_tcp(socket, address, resolved);
}

// From here on the file is removed with the listener, whatever fails next.
Result<void> own_file(Listener& listener, const Address& address) {
  if (address.family != Address::Family::unix_stream || address.path.starts_with('@')) return {};
  auto file = SocketFile::at(address.path);
  if (!file) return std::unexpected(file.error());
  listener.file = std::move(*file);
  return {};
}

Result<Listener> listen_one(const Address& address, const Resolved& resolved,
                            const SocketOptions& options) {
  auto socket = open_stream(resolved.address.storage.ss_family, options);
  if (!socket) return std::unexpected(socket.error());
  Listener listener{
      .socket = std::move(*socket), .address = {}, .congestion = {}, .notes = {}, .file = {}};
  const DescriptorRef ref = listener.socket.ref();
  auto congestion = choose_congestion(ref, is_loopback(resolved.address), options.congestion);
  if (!congestion) return std::unexpected(congestion.error());
  listener.congestion = std::move(congestion->congestion);
  if (!congestion->note.empty()) listener.notes.push_back(std::move(congestion->note));
  const auto bound = bind_any(ref, address, resolved);
  if (!bound) return std::unexpected(bound.error());
  const auto owned = own_file(listener, address);
  if (!owned) return std::unexpected(owned.error());
  const auto listening = sys::listen(ref, SOMAXCONN);
  if (!listening) return std::unexpected(listening.error());
  const auto name = sys::getsockname(ref);
  if (!name) return std::unexpected(name.error());
  listener.address = text_of(*name);
  return listener;
}

}  // namespace

Result<Listener> listen(const Address& address, const SocketOptions& options, const Stop& stop) {
  const auto found = resolve(address, Use::listening, {}, stop);
  if (!found) return std::unexpected(found.error());
  Result<Listener> listener = fail("bind", EADDRNOTAVAIL);
  for (const Resolved& resolved : *found) {
    listener = listen_one(address, resolved, options);
    if (listener) break;
  }
  return listener;
}

}  // namespace headrace::net
