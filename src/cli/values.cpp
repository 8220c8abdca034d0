#include "cli/values.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "explain/sizes.hpp"

namespace headrace::cli {
namespace {

Keep* part_named(Preserve& preserve, std::string_view name) {
  if (name == "mode") return &preserve.mode;
  if (name == "times") return &preserve.times;
  if (name == "owner") return &preserve.owner;
  if (name == "xattr") return &preserve.attributes;
  return name == "acl" ? &preserve.access_list : nullptr;
}

}  // namespace

std::optional<Bytes> positive_size(std::string_view text) {
  const auto size = parse_size(text);
  return size && *size > 0 ? size : std::nullopt;
}

std::optional<Range> parse_range(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto offset = parse_size(text.substr(0, colon));
  if (!offset) return std::nullopt;
  const std::string_view rest = text.substr(colon + 1);
  if (rest.empty()) return Range{.offset = *offset, .length = {}};
  const auto length = parse_size(rest);
  if (!length) return std::nullopt;
  return Range{.offset = *offset, .length = length};
}

std::optional<std::chrono::milliseconds> parse_seconds(const std::string& text) {
  std::size_t used = 0;
  double seconds = -1;
  try {
    seconds = std::stod(text, &used);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  constexpr double most = 1e9;  // some thirty years, and far from any overflow
  if (used != text.size() || !(seconds > 0) || seconds > most) return std::nullopt;
  return std::chrono::milliseconds{static_cast<std::int64_t>(std::ceil(seconds * 1000))};
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  std::size_t start = 0;
  for (std::size_t comma = 0; comma != std::string_view::npos; start = comma + 1) {
    comma = text.find(',', start);
    names.emplace_back(text.substr(start, comma - start));
  }
  return names;
}

std::optional<Preserve> parse_preserve(std::string_view text) {
  const std::vector<std::string> names = names_in(text);
  const bool all = std::ranges::find(names, "all") != names.end();
  Preserve preserve = all ? preserve_all_possible : preserve_nothing;
  for (const std::string& name : names) {
    Keep* const kept = part_named(preserve, name);
    if (kept == nullptr && name != "all") return std::nullopt;
    if (kept != nullptr) *kept = Keep::required;
  }
  return preserve;
}

}  // namespace headrace::cli
