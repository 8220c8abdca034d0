#include "http/message/host.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "http/message/ascii.hpp"

namespace headrace::http {
namespace {

constexpr bool is_name_character(char c) {
  return is_unreserved(c) || is_sub_delimiter(c) || c == '%';
}

bool is_address(int family, std::string_view text) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  // A NUL inside would hide what follows it.
  if (text.find('\0') != std::string_view::npos) return false;
  return inet_pton(family, std::string(text).c_str(), address.data()) == 1;
}

/// What stands before the port; brackets included.
std::string_view name_part(std::string_view value) {
  if (!value.starts_with('[')) return value.substr(0, value.find(':'));
  const std::size_t close = value.find(']');
  return close == std::string_view::npos ? value : value.substr(0, close + 1);
}

std::optional<std::string> host_name(std::string_view text) {
  if (text.starts_with('[')) {
    if (text.size() < 2 || !text.ends_with(']')) return std::nullopt;
    const std::string_view address = text.substr(1, text.size() - 2);
    return is_address(AF_INET6, address) ? std::optional(lowered(address)) : std::nullopt;
  }
  return std::ranges::all_of(text, is_name_character) ? std::optional(lowered(text)) : std::nullopt;
}

std::string comparable(std::string_view name) {
  if (name.ends_with('.')) name.remove_suffix(1);
  return lowered(name);
}

}  // namespace

std::optional<Host> parse_host(std::string_view value) {
  const std::string_view name_text = name_part(value);
  auto name = host_name(name_text);
  if (!name) return std::nullopt;
  std::string_view port = value.substr(name_text.size());
  if (port.empty()) return Host{std::move(*name), {}};
  if (!port.starts_with(':')) return std::nullopt;
  port.remove_prefix(1);
  if (!port.empty() && !parse_number<std::uint16_t>(port)) return std::nullopt;
  return Host{std::move(*name), std::string(port)};
}

bool is_ip_literal(std::string_view name) {
  return is_address(AF_INET, name) || is_address(AF_INET6, name);
}

bool host_allowed(std::string_view name, std::span<const std::string> allowed) {
  const std::string wanted = comparable(name);
  if (wanted.empty()) return false;
  if (is_ip_literal(name) || wanted == "localhost") return true;
  return std::ranges::any_of(allowed,
                             [&](const std::string& one) { return comparable(one) == wanted; });
}

}  // namespace headrace::http
