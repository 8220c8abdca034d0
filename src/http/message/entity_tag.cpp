#include "http/message/entity_tag.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "hash/hash.hpp"
#include "http/message/ascii.hpp"

namespace headrace::http {
namespace {

constexpr std::string_view weak_prefix = "W/";  // upper case alone: RFC 9110 8.8.3

constexpr bool is_tag_character(char c) { return c != ' ' && c != '"' && !is_control_or_tab(c); }

/// Takes the tag at the start of `rest`.
std::optional<EntityTag> take_tag(std::string_view& rest) {
  EntityTag tag;
  if (rest.starts_with(weak_prefix)) {
    tag.weak = true;
    rest.remove_prefix(weak_prefix.size());
  }
  if (!rest.starts_with('"')) return std::nullopt;
  const std::size_t close = rest.find('"', 1);
  if (close == std::string_view::npos) return std::nullopt;
  tag.opaque = rest.substr(1, close - 1);
  rest.remove_prefix(close + 1);
  if (!std::ranges::all_of(tag.opaque, is_tag_character)) return std::nullopt;
  return tag;
}

void skip(std::string_view& rest, std::string_view characters) {
  rest.remove_prefix(std::min(rest.find_first_not_of(characters), rest.size()));
}

}  // namespace

std::string to_string(const EntityTag& tag) {
  return std::string(tag.weak ? weak_prefix : "").append("\"").append(tag.opaque).append("\"");
}

std::optional<EntityTag> parse_entity_tag(std::string_view value) {
  auto tag = take_tag(value);
  return value.empty() ? tag : std::nullopt;
}

std::optional<std::vector<EntityTag>> parse_entity_tags(std::string_view value) {
  std::vector<EntityTag> tags;
  for (skip(value, " \t,"); !value.empty(); skip(value, " \t,")) {
    auto tag = take_tag(value);
    if (!tag) return std::nullopt;
    tags.push_back(std::move(*tag));
    skip(value, " \t");
    if (!value.empty() && !value.starts_with(',')) return std::nullopt;
  }
  if (tags.empty()) return std::nullopt;
  return tags;
}

bool strongly_equal(const EntityTag& left, const EntityTag& right) {
  return !left.weak && !right.weak && left.opaque == right.opaque;
}

bool weakly_equal(const EntityTag& left, const EntityTag& right) {
  return left.opaque == right.opaque;
}

EntityTag entity_tag_of(const FileVersion& version, bool weak) {
  const std::array<std::uint64_t, 6> state{
      version.device,
      version.inode,
      version.size,
      static_cast<std::uint64_t>(version.modified_nanoseconds),
      static_cast<std::uint64_t>(version.changed_nanoseconds),
      weak ? 1U : 0U,
  };
  Hash hash;
  hash.add(std::as_bytes(std::span(state)));
  return {hexadecimal(hash.value()), weak};
}

}  // namespace headrace::http
