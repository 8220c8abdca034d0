#include "http/message/url.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "http/message/ascii.hpp"
#include "http/message/host.hpp"
#include "http/message/percent.hpp"

namespace headrace::http {
namespace {

class UrlCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "url"; }
  [[nodiscard]] std::string message(int value) const override {
    switch (static_cast<UrlFault>(value)) {
      case UrlFault::scheme_missing:
        return "the URL does not begin with http:// or https://";
      case UrlFault::scheme_unknown:
        return "only http and https URLs are known";
      case UrlFault::user_info:
        return "the URL has a user name or password in it, which headrace does not send";
      case UrlFault::host_missing:
        return "the URL has no host";
      case UrlFault::host_malformed:
        return "the host of the URL is no name and no address (IPv6 stands in brackets)";
      case UrlFault::port_malformed:
        return "the port of the URL is not a number from 1 to 65535";
      case UrlFault::control_character:
        return "the URL has a control character in it";
    }
    return "not a URL";
  }
};

std::unexpected<Error> no_url(UrlFault fault) { return std::unexpected(Error{fault, "url"}); }

constexpr bool is_scheme_character(char c) {
  return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
}
constexpr bool is_host_character(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_';
}
constexpr bool is_target_character(char c) {
  return is_unreserved(c) || is_sub_delimiter(c) || c == ':' || c == '@' || c == '/' || c == '?' ||
         c == '%';
}

std::string_view default_port(std::string_view scheme) { return scheme == "https" ? "443" : "80"; }

/// A reference by RFC 3986's appendix B, without its fragment.
struct Parts {
  std::optional<std::string_view> scheme;
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
};

Parts split(std::string_view text) {
  Parts parts;
  text = text.substr(0, text.find('#'));
  const std::size_t colon = text.find_first_of(":/?");
  if (colon != std::string_view::npos && colon > 0 && text[colon] == ':' && is_letter(text[0]) &&
      std::ranges::all_of(text.substr(0, colon), is_scheme_character)) {
    parts.scheme = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) {
    text.remove_prefix(2);
    parts.authority = text.substr(0, text.find_first_of("/?"));
    text.remove_prefix(parts.authority->size());
  }
  parts.path = text.substr(0, text.find('?'));
  if (parts.path.size() < text.size()) parts.query = text.substr(parts.path.size() + 1);
  return parts;
}

/// RFC 3986 5.2.4, for a path that begins with '/'.
std::string without_dots(std::string_view path) {
  std::vector<std::string_view> kept;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    const bool dots = segment == "." || segment == "..";
    if (segment == ".." && !kept.empty()) kept.pop_back();
    if (!dots) kept.push_back(segment);
    if (dots && path.empty()) kept.emplace_back();  // "a/.." names a folder
  }
  std::string joined;
  for (const std::string_view segment : kept) joined.append("/").append(segment);
  return joined.empty() ? "/" : joined;
}

std::string target_of(std::string_view path, std::optional<std::string_view> query) {
  std::string target = without_dots(path.empty() ? "/" : path);
  if (query) target.append("?").append(*query);
  return percent_encoded(target, is_target_character);
}

/// "fe80::1%25eth0", and "fe80::1%eth0" as people write it.
std::optional<std::string> version6_host(std::string_view text) {
  const std::string_view address = text.substr(0, text.find('%'));
  std::string_view zone = text.substr(address.size());
  if (!is_ip_literal(address) || address.find(':') == std::string_view::npos) return std::nullopt;
  if (zone.empty()) return lowered(address);
  zone.remove_prefix(zone.starts_with("%25") ? 3 : 1);
  if (zone.empty() || !std::ranges::all_of(zone, is_unreserved)) return std::nullopt;
  return lowered(address).append("%").append(zone);
}

Result<std::string> host_of(std::string_view text) {
  if (text.empty()) return no_url(UrlFault::host_missing);
  if (!text.starts_with('[')) {
    if (!std::ranges::all_of(text, is_host_character)) return no_url(UrlFault::host_malformed);
    return lowered(text);
  }
  auto host = version6_host(text.substr(1, text.size() - 2));
  if (!host) return no_url(UrlFault::host_malformed);
  return std::move(*host);
}

Result<std::string> port_of(std::string_view text, std::string_view scheme) {
  if (text.empty() || text == ":") return std::string(default_port(scheme));
  const auto number = parse_number<std::uint16_t>(text.substr(1));
  if (!number || *number == 0) return no_url(UrlFault::port_malformed);
  return std::to_string(*number);
}

/// Fills host and port of a URL whose scheme is there.
Result<Url> with_authority(Url url, std::string_view authority) {
  if (authority.find('@') != std::string_view::npos) return no_url(UrlFault::user_info);
  std::size_t host_end = authority.find(':');
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) return no_url(UrlFault::host_malformed);
    host_end = close + 1;
  }
  const std::string_view host_text = authority.substr(0, host_end);
  const std::string_view port_text = authority.substr(host_text.size());
  if (!port_text.empty() && port_text.front() != ':') return no_url(UrlFault::host_malformed);
  auto host = host_of(host_text);
  if (!host) return std::unexpected(host.error());
  auto port = port_of(port_text, url.scheme);
  if (!port) return std::unexpected(port.error());
  url.host = std::move(*host);
  url.port = std::move(*port);
  return url;
}

Result<Url> absolute_url(const Parts& parts) {
  Url url{.scheme = lowered(*parts.scheme), .target = target_of(parts.path, parts.query)};
  if (url.scheme != "http" && url.scheme != "https") return no_url(UrlFault::scheme_unknown);
  return with_authority(std::move(url), parts.authority.value_or(""));
}

std::string_view path_of(const Url& url) {
  return std::string_view(url.target).substr(0, url.target.find('?'));
}

std::string bracketed(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

std::string port_suffix(const Url& url) {
  return url.port == default_port(url.scheme) ? "" : ":" + url.port;
}

}  // namespace

const std::error_category& url_category() {
  static const UrlCategory only;
  return only;
}

std::error_code make_error_code(UrlFault fault) {
  return {static_cast<int>(fault), url_category()};
}

Result<Url> parse_url(std::string_view text) {
  if (std::ranges::any_of(text, is_control_or_tab)) return no_url(UrlFault::control_character);
  const Parts parts = split(text);
  // "localhost:8080" has the form of a scheme and what is no http URL; nobody means it.
  const bool known = parts.scheme && lowered(*parts.scheme).starts_with("http");
  if (!parts.scheme || (!parts.authority && !known)) return no_url(UrlFault::scheme_missing);
  return absolute_url(parts);
}

Result<Url> resolve(const Url& base, std::string_view reference) {
  if (std::ranges::any_of(reference, is_control_or_tab)) return no_url(UrlFault::control_character);
  const Parts parts = split(reference);
  if (parts.scheme) return absolute_url(parts);
  Url url = base;
  if (parts.authority) {
    url.target = target_of(parts.path, parts.query);
    return with_authority(std::move(url), *parts.authority);
  }
  if (parts.path.empty()) {
    if (parts.query) url.target = target_of(path_of(base), parts.query);
    return url;
  }
  const std::string_view base_path = path_of(base);
  std::string path;
  if (!parts.path.starts_with('/')) path = base_path.substr(0, base_path.rfind('/') + 1);
  url.target = target_of(path.append(parts.path), parts.query);
  return url;
}

std::string to_string(const Url& url) { return origin(url) + url.target; }

std::string host_field(const Url& url) {
  return bracketed(url.host.substr(0, url.host.find('%'))) + port_suffix(url);
}

std::string origin(const Url& url) {
  std::string host = bracketed(url.host);
  if (const std::size_t zone = host.find('%'); zone != std::string::npos)
    host.insert(zone + 1, "25");
  return url.scheme + "://" + host + port_suffix(url);
}

std::string file_name(const Url& url) {
  const std::string_view path = path_of(url);
  const std::string_view segment = path.substr(path.rfind('/') + 1);
  auto name = percent_decoded(segment).value_or(std::string(segment));
  const bool no_file = name == "." || name == ".." || name.find('/') != std::string::npos ||
                       name.find('\0') != std::string::npos;
  if (no_file) name.clear();
  return name;
}

}  // namespace headrace::http
