#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headrace::http {

/// Percent-encodes (RFC 3986 2.1) every byte that `keeps` does not keep.
std::string percent_encoded(std::string_view text, bool (*keeps)(char));

/// Decodes once. Absent where a '%' has no two hexadecimal digits behind it.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace headrace::http
