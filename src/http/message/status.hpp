#pragma once

#include <string_view>

namespace headrace::http {

/// "OK", "Not Found"; empty for a status that RFC 9110 and its kin do not name.
std::string_view reason_phrase(int status);

}  // namespace headrace::http
