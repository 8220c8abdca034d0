#pragma once

#include <string>
#include <string_view>

namespace headrace::http {

/// Whether all of it is well-formed UTF-8 (RFC 3629): no overlong form, no surrogate.
bool is_utf8(std::string_view text);

/// ISO-8859-1, where each byte is a character, as UTF-8.
std::string utf8_of_latin1(std::string_view text);

/// Bytes as text that can be shown: what is not UTF-8 becomes U+FFFD, and so do control characters
/// and those that turn the direction of what follows, which make a name look like another.
std::string shown(std::string_view bytes);

}  // namespace headrace::http
