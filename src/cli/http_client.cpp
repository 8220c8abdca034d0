#include "cli/http_client.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/console.hpp"
#include "http/client/request.hpp"
#include "http/message/percent.hpp"

namespace headrace::cli {
namespace {

// Blanks, tabs and everything visible; no control character may become a line of its own.
bool fits_a_line(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte == '\t' || (byte >= ' ' && byte != 0x7f);
}

}  // namespace

std::optional<http::Field> parse_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = http::trimmed(line.substr(colon + 1));
  if (!http::is_token(name) || !std::ranges::all_of(value, fits_a_line)) return std::nullopt;
  if (http::client::is_set_by_client(name)) return std::nullopt;
  return http::Field{.name = std::string(name), .value = std::string(value)};
}

std::optional<http::Url> url_of(std::string_view command, const std::string& text) {
  auto url = http::parse_url(text);
  if (!url) {
    complain(command, fmt::format("'{}': {}", text, url.error().code.message()));
    return std::nullopt;
  }
  if (http::percent_decoded(url->target)) return std::move(*url);
  complain(command, fmt::format("'{}': no two hexadecimal digits follow a % in the URL; % itself "
                                "is written %25",
                                text));
  return std::nullopt;
}

http::client::Settings client_settings(const HttpArguments& arguments, const Stop& stop) {
  return {.socket = {.window = arguments.window, .congestion = arguments.congestion},
          .idle_timeout = arguments.common.idle_timeout,
          .stop = stop,
          .user_agent = "headrace/" HEADRACE_VERSION};
}

}  // namespace headrace::cli
