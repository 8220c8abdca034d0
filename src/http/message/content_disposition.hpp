#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headrace::http {

/// The file name that a Content-Disposition field proposes (RFC 6266, RFC 8187), fit to be created
/// in a folder: the last segment alone, UTF-8 where the field says how it is encoded.
///
/// Leading dots are dropped, so that nothing hidden is written. Absent where nothing is left, and
/// for a name with a control character or of more than 255 bytes.
std::optional<std::string> disposition_file_name(std::string_view value);

/// The value of a Content-Disposition field, for `disposition` "inline" or "attachment" and a name
/// of any bytes: quoted, and where that is not enough in RFC 8187's form as well.
std::string content_disposition(std::string_view disposition, std::string_view file_name);

}  // namespace headrace::http
