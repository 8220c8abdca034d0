#include "net/socket_text.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace headrace::net {
namespace {

std::string unix_text(const sys::SocketAddress& address) {
  constexpr auto start = offsetof(sockaddr_un, sun_path);
  if (address.length <= start) return "unix:";
  const auto& name = reinterpret_cast<const sockaddr_un&>(address.storage);
  const std::string_view path{name.sun_path, address.length - start};
  if (path.front() == '\0') return "unix:@" + std::string(path.substr(1));
  return "unix:" + std::string(path.substr(0, path.find('\0')));
}

std::string host_text(std::string host) {
  constexpr std::string_view mapped = "::ffff:";
  const bool version_6 = host.find(':') != std::string::npos;
  if (!version_6) return host;
  if (host.starts_with(mapped) && host.find('.') != std::string::npos) {
    return host.substr(mapped.size());
  }
  return "[" + host + "]";
}

}  // namespace

std::string text_of(const sys::SocketAddress& address) {
  if (address.storage.ss_family == AF_UNIX) return unix_text(address);
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  const int answer = ::getnameinfo(reinterpret_cast<const sockaddr*>(&address.storage),
                                   address.length, host.data(), host.size(), port.data(),
                                   port.size(), NI_NUMERICHOST | NI_NUMERICSERV);
  if (answer != 0) return "unknown";
  return host_text(host.data()) + ":" + port.data();
}

}  // namespace headrace::net
