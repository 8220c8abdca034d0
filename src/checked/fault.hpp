#pragma once

#include <string_view>
#include <system_error>
#include <type_traits>

namespace headrace::checked {

/// What is wrong with the peer of a checked transfer; no errno says it.
enum class Fault {
  not_checked = 1,  ///< what came is no frame of ours, or nothing came
  other_version,
  damaged,          ///< a frame whose own checksum or bounds are wrong
  ended_early,      ///< the peer ended its side before everything had come
  bytes_after,      ///< more came than there should be
  receiver_failed,  ///< the receiver says so and gives no errno
};

const std::error_category& category();
std::error_code make_error_code(Fault fault);

}  // namespace headrace::checked

template <>
struct std::is_error_code_enum<headrace::checked::Fault> : std::true_type {};
