#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Pieces of a log line, appended. What comes out is printable ASCII whatever goes in, so nothing a
// client sends ends a line, closes a quote or steers a terminal.
namespace headrace::http::server {

/// Bytes that are no printable ASCII, quotes and backslashes as \xNN.
void append_escaped(std::string& line, std::string_view text);
/// The same for a text without quotes around it: spaces too, and "-" for an empty one.
void append_word(std::string& line, std::string_view text);
/// With quotes around it; "-" for an empty one.
void append_quoted(std::string& line, std::string_view text);
/// A JSON string with its quotes; what is no UTF-8 becomes U+FFFD.
void append_json(std::string& line, std::string_view text);

void append_number(std::string& line, std::uint64_t number);
void append_seconds(std::string& line, double seconds);  ///< with six decimals

}  // namespace headrace::http::server
