#include "net/address.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace headrace::net {
namespace {

constexpr std::string_view unix_prefix = "unix:";
constexpr std::string_view accepted_forms =
    " (expected HOST:PORT, [IPv6]:PORT, :PORT, unix:PATH or unix:@NAME)";

std::string_view sentence(AddressFault fault) {
  switch (fault) {
    case AddressFault::empty:
      return "the address is empty";
    case AddressFault::url:
      return "a URL is no socket address";
    case AddressFault::port_missing:
      return "the port is missing";
    case AddressFault::port_malformed:
      return "the port is neither 0 to 65535 nor a service name";
    case AddressFault::brackets_missing:
      return "an IPv6 address needs brackets before its port";
    case AddressFault::brackets_malformed:
      return "the brackets are not those of [IPv6]:PORT";
    case AddressFault::host_malformed:
      return "the host has a character that no host has";
    case AddressFault::path_missing:
      return "the path of the unix socket is missing";
  }
  return "not an address";
}

class AddressCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "address"; }
  [[nodiscard]] std::string message(int value) const override {
    return std::string(sentence(static_cast<AddressFault>(value))).append(accepted_forms);
  }
};

std::unexpected<Error> no_address(AddressFault fault) {
  return std::unexpected(Error{fault, "address"});
}

// ASCII only, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_service_character(char c) {
  return is_digit(c) || is_letter(c) || c == '-' || c == '_';
}
constexpr bool is_host_character(char c) { return c > ' ' && c != '/' && c != '[' && c != ']'; }

bool is_port(std::string_view text) {
  if (std::ranges::all_of(text, is_digit)) {
    std::uint16_t number = 0;
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{};
  }
  return std::ranges::all_of(text, is_service_character) && std::ranges::any_of(text, is_letter);
}

Result<Address> tcp_address(std::string_view host, std::string_view port) {
  if (!std::ranges::all_of(host, is_host_character))
    return no_address(AddressFault::host_malformed);
  if (port.empty()) return no_address(AddressFault::port_missing);
  if (!is_port(port)) return no_address(AddressFault::port_malformed);
  return Address{Address::Family::tcp, std::string(host), std::string(port), {}};
}

Result<Address> unix_address(std::string_view path) {
  if (path.empty() || path == "@") return no_address(AddressFault::path_missing);
  return Address{Address::Family::unix_stream, {}, {}, std::string(path)};
}

Result<Address> bracketed_address(std::string_view text) {
  const auto close = text.find(']');
  if (close == std::string_view::npos || close == 1) {
    return no_address(AddressFault::brackets_malformed);
  }
  const auto host = text.substr(1, close - 1);
  const auto rest = text.substr(close + 1);
  if (host.find(':') == std::string_view::npos) return no_address(AddressFault::brackets_malformed);
  if (rest.empty()) return no_address(AddressFault::port_missing);
  if (rest.front() != ':') return no_address(AddressFault::brackets_malformed);
  return tcp_address(host, rest.substr(1));
}

}  // namespace

const std::error_category& address_category() {
  static const AddressCategory category;
  return category;
}

std::error_code make_error_code(AddressFault fault) {
  return {static_cast<int>(fault), address_category()};
}

Result<Address> parse_address(std::string_view text) {
  if (text.empty()) return no_address(AddressFault::empty);
  if (text.starts_with(unix_prefix)) return unix_address(text.substr(unix_prefix.size()));
  if (text.find("://") != std::string_view::npos) return no_address(AddressFault::url);
  if (text.front() == '[') return bracketed_address(text);
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return no_address(AddressFault::port_missing);
  if (text.rfind(':') != colon) return no_address(AddressFault::brackets_missing);
  return tcp_address(text.substr(0, colon), text.substr(colon + 1));
}

std::string to_string(const Address& address) {
  if (address.family == Address::Family::unix_stream)
    return std::string(unix_prefix) + address.path;
  const bool brackets = address.host.find(':') != std::string::npos;
  return (brackets ? "[" + address.host + "]" : address.host) + ":" + address.port;
}

}  // namespace headrace::net
