#pragma once

#include <system_error>
#include <type_traits>

namespace headrace::http {

/// Why a body is not whole, although nothing is wrong with its framing so far.
enum class BodyFault {
  ended_early = 1,  ///< the connection ended inside the body
  too_large,        ///< more content than the receiver takes
};

const std::error_category& body_category();
std::error_code make_error_code(BodyFault fault);

}  // namespace headrace::http

template <>
struct std::is_error_code_enum<headrace::http::BodyFault> : std::true_type {};
