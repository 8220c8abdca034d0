#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/facts.hpp"
#include "headrace/plan.hpp"

namespace headrace::explain {

using Json = nlohmann::ordered_json;  // keys stand in the order the documentation gives

inline constexpr int json_schema = 1;

/// One line. Bytes that are not UTF-8 become U+FFFD: a name is never a reason to fail.
std::string dump(const Json& json);

/// The text, or null where it is empty.
Json text_or_null(std::string_view text);

Json json_of(const Facts& facts);
Json json_of(const std::vector<Refusal>& refused);

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace headrace::explain
