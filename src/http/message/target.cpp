#include "http/message/target.hpp"

#include <algorithm>
#include <optional>

#include "http/message/ascii.hpp"
#include "http/message/host.hpp"
#include "http/message/percent.hpp"

namespace headrace::http {
namespace {

class TargetCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "target"; }
  [[nodiscard]] std::string message(int value) const override {
    switch (static_cast<TargetFault>(value)) {
      case TargetFault::malformed:
        return "the target is neither a path nor an http URL";
      case TargetFault::character:
        return "the target has a character that none may have";
      case TargetFault::escape:
        return "the target has a '%' without two hexadecimal digits";
      case TargetFault::nul:
        return "the target has %00 in it";
      case TargetFault::dots:
        return "the target has a segment of dots";
      case TargetFault::slash:
        return "the target has an encoded slash in it";
    }
    return "not a target";
  }
};

std::unexpected<Error> no_target(TargetFault fault) {
  return std::unexpected(Error{fault, "target"});
}

// Bytes beyond ASCII are no URL either, but they mean themselves, and clients do send them.
constexpr bool may_stand(char c) { return c != ' ' && c != '#' && !is_control_or_tab(c); }

std::optional<TargetFault> fault_of(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) return TargetFault::nul;
  if (name.find('/') != std::string_view::npos) return TargetFault::slash;
  if (name == "." || name == "..") return TargetFault::dots;
  return std::nullopt;
}

Result<std::string> decoded_path(std::string_view raw) {
  std::string path;
  while (!raw.empty()) {
    const std::string_view segment = raw.substr(0, raw.find('/'));
    raw.remove_prefix(std::min(segment.size() + 1, raw.size()));
    if (segment.empty()) continue;
    const auto name = percent_decoded(segment);
    if (!name) return no_target(TargetFault::escape);
    if (const auto fault = fault_of(*name)) return no_target(*fault);
    path.append("/").append(*name);
  }
  return path;
}

struct Absolute {
  std::string_view authority;
  std::string_view path_and_query;
};

std::optional<Absolute> parse_absolute(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string scheme = lowered(text.substr(0, colon));
  if (scheme != "http" && scheme != "https") return std::nullopt;
  text.remove_prefix(colon + 3);
  const std::string_view authority = text.substr(0, text.find_first_of("/?"));
  const auto host = parse_host(authority);
  if (!host || host->name.empty()) return std::nullopt;
  return Absolute{authority, text.substr(authority.size())};
}

}  // namespace

const std::error_category& target_category() {
  static const TargetCategory only;
  return only;
}

std::error_code make_error_code(TargetFault fault) {
  return {static_cast<int>(fault), target_category()};
}

int answering_status(TargetFault fault) {
  return fault == TargetFault::dots || fault == TargetFault::slash ? 404 : 400;
}

Result<Target> parse_target(std::string_view text) {
  if (!std::ranges::all_of(text, may_stand)) return no_target(TargetFault::character);
  if (text == "*") return Target{.asterisk = true};
  Target target;
  if (!text.starts_with('/')) {
    const auto absolute = parse_absolute(text);
    if (!absolute) return no_target(TargetFault::malformed);
    target.authority = absolute->authority;
    text = absolute->path_and_query;
  }
  const std::string_view raw = text.substr(0, text.find('?'));
  if (raw.size() < text.size()) target.query = text.substr(raw.size() + 1);
  auto path = decoded_path(raw);
  if (!path) return std::unexpected(path.error());
  target.path = std::move(*path);
  if (target.path.empty() || raw.ends_with('/')) target.path += '/';
  return target;
}

std::string encode_segment(std::string_view name) { return percent_encoded(name, is_unreserved); }

std::string encode_path(std::string_view path) {
  return percent_encoded(path, [](char c) { return c == '/' || is_unreserved(c); });
}

}  // namespace headrace::http
