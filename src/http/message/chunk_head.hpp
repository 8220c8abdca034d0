#pragma once

#include <string>
#include <string_view>

#include "headrace/bytes.hpp"

namespace headrace::http {

/// What stands before the data of a chunk of `size` bytes; not for 0, which would end the body.
std::string chunk_head(Bytes size);

/// What stands behind the data of each chunk.
inline constexpr std::string_view chunk_end = "\r\n";

/// What ends the body; no trailers.
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace headrace::http
