#pragma once

#include <system_error>
#include <type_traits>

namespace headrace::http {

/// Why a head is refused, or cannot be written. Each has a text and the status that answers it.
enum class HeadFault {
  incomplete = 1,
  bad_line_ending,
  control_byte,
  bad_request_line,
  bad_method,
  bad_target,
  bad_version,
  version_not_supported,
  bad_status_line,
  bad_field_name,
  space_before_colon,
  folded_field,
  no_host,
  several_hosts,
  target_too_long,
  head_too_long,
  too_many_fields,
  bad_length,
  several_lengths,
  length_and_coding,
  coding_in_old_version,
  coding_not_final,
  coding_not_supported,
  malformed,  ///< what only the second reader of the head finds
};

const std::error_category& head_category();
std::error_code make_error_code(HeadFault fault);

/// The status that a server answers with before it closes: 400, 414, 431, 501 or 505.
int answering_status(HeadFault fault);
/// The same for any error; 400 where the error is no HeadFault.
int answering_status(const std::error_code& code);

}  // namespace headrace::http

template <>
struct std::is_error_code_enum<headrace::http::HeadFault> : std::true_type {};
