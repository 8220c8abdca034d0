#pragma once

#include <system_error>
#include <type_traits>

namespace headrace::http::client {

/// Why an exchange came to nothing, where neither the kernel nor a head says it.
enum class Fault {
  scheme_not_offered = 1,  ///< https
  closed_before_answer,    ///< the server ended the connection and said nothing
  closed_in_answer,        ///< or within an answer
  unexpected_answer,       ///< 101: nobody asked for another protocol
  too_many_interim,        ///< 1xx without end
  location_missing,        ///< a redirect that leads nowhere
  location_malformed,
  location_insecure,   ///< from https to http
  too_many_redirects,  ///< more than `Settings::most_redirects`
  cannot_send_again,   ///< the body exists once, and must be sent another time
  length_unknown,      ///< of one piece among several: such a body has no framing
  answered_early,      ///< with success, before it had all of the body
};

const std::error_category& category();
std::error_code make_error_code(Fault fault);

}  // namespace headrace::http::client

template <>
struct std::is_error_code_enum<headrace::http::client::Fault> : std::true_type {};
