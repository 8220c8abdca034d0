#include "probe/local.hpp"

#include <ifaddrs.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>

namespace headrace {
namespace {

// IPv4 addresses in their IPv6 form, so that there is one kind to compare.
using Number = std::array<unsigned char, 16>;
constexpr std::array<unsigned char, 12> mapped_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

Number mapped(const in_addr& address) {
  Number number{};
  std::ranges::copy(mapped_prefix, number.begin());
  std::memcpy(number.data() + mapped_prefix.size(), &address, sizeof(address));
  return number;
}

std::optional<Number> number_of(const sockaddr* address) {
  if (address == nullptr) return std::nullopt;
  if (address->sa_family == AF_INET) {
    sockaddr_in name{};
    std::memcpy(&name, address, sizeof(name));
    return mapped(name.sin_addr);
  }
  if (address->sa_family == AF_INET6) {
    sockaddr_in6 name{};
    std::memcpy(&name, address, sizeof(name));
    Number number{};
    std::memcpy(number.data(), &name.sin6_addr, number.size());
    return number;
  }
  return std::nullopt;
}

std::optional<Number> number_of(const sys::SocketAddress& address) {
  return number_of(reinterpret_cast<const sockaddr*>(&address.storage));
}

bool is_loopback(const Number& number) {
  constexpr Number version_6{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  const bool version_4 = std::equal(mapped_prefix.begin(), mapped_prefix.end(), number.begin());
  return number == version_6 || (version_4 && number[mapped_prefix.size()] == 127);
}

bool is_unspecified(const Number& number) {
  return number == Number{} || number == mapped(in_addr{INADDR_ANY});
}

struct FreeInterfaces {
  void operator()(ifaddrs* list) const { ::freeifaddrs(list); }
};

bool is_of_an_interface(const Number& number) {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return false;  // then only loopback is known to be ours
  const std::unique_ptr<ifaddrs, FreeInterfaces> list{first};
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    if (number_of(entry->ifa_addr) == number) return true;
  }
  return false;
}

}  // namespace

bool is_loopback(const sys::SocketAddress& address) {
  const auto number = number_of(address);
  return number && is_loopback(*number);
}

bool is_local(const sys::SocketAddress& address) {
  if (address.storage.ss_family == AF_UNIX) return true;
  const auto number = number_of(address);
  if (!number) return false;
  return is_loopback(*number) || is_unspecified(*number) || is_of_an_interface(*number);
}

}  // namespace headrace
