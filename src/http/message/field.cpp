#include "http/message/field.hpp"

#include <algorithm>

#include "http/message/characters.hpp"

namespace headrace::http {
namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Where the first element of a list ends: at a comma that is not quoted, or with the list.
std::size_t element_end(std::string_view list) {
  bool quoted = false;
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (list[at] == ',' && !quoted) return at;
    if (list[at] == '"') quoted = !quoted;
    if (list[at] == '\\' && quoted) ++at;  // the next byte means itself
  }
  return list.size();
}

}  // namespace

bool same_token(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, lower, lower);
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_character);
}

std::optional<std::string_view> find(const Fields& fields, std::string_view name) {
  for (const Field& field : fields) {
    if (same_token(field.name, name)) return field.value;
  }
  return std::nullopt;
}

std::vector<std::string_view> all(const Fields& fields, std::string_view name) {
  std::vector<std::string_view> values;
  for (const Field& field : fields) {
    if (same_token(field.name, name)) values.emplace_back(field.value);
  }
  return values;
}

std::vector<std::string_view> tokens(std::string_view value) {
  std::vector<std::string_view> elements;
  while (!value.empty()) {
    const std::size_t end = element_end(value);
    if (const auto element = trimmed(value.substr(0, end)); !element.empty()) {
      elements.push_back(element);
    }
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return elements;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace headrace::http
