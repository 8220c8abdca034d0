#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headrace/bytes.hpp"
#include "headrace/method.hpp"
#include "headrace/plan.hpp"
#include "headrace/result.hpp"

namespace headrace::explain {

/// "write: No space left on device (ENOSPC)".
std::string describe(const Error& error);

/// "0.31 s", "12.5 ms", "0.043 ms": three digits or so, for people.
std::string format_seconds(double seconds);

/// "1 call", "3 calls".
std::string counted(std::uint64_t count, std::string_view noun);

/// A size whose every byte can be read off: "17 bytes", "64 KiB", "1.2 MiB (1234567 bytes)".
std::string exact_size(Bytes bytes);

/// "the method's name", or "none" for a null pointer.
std::string_view name_of(const Method* method);

/// "reflink: file-system-cannot-clone (ext4 has no shared extents; detail)".
std::string describe(const Refusal& refusal);

/// Control characters, among them those that steer a terminal, as \xNN.
std::string printable(std::string_view text);

/// One line of a report: two spaces, the label in its column, the text, a newline.
std::string labelled(std::string_view label, std::string_view text);

/// Rows with their columns aligned by spaces and two between; the last column is left as it is.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace headrace::explain
