#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"

namespace headrace::cli {

// Words of the command line as values. Pure; absent where a word is none.

/// A size of at least one byte; the units are those of `parse_size`.
std::optional<Bytes> positive_size(std::string_view text);

/// "OFFSET:LENGTH", two sizes; an empty LENGTH is the rest.
std::optional<Range> parse_range(std::string_view text);

/// Seconds above 0, with a fraction or without; rounded up to milliseconds.
std::optional<std::chrono::milliseconds> parse_seconds(const std::string& text);

/// "a,b" as two names. An empty one stays: it is the name of no method, and is told as such.
std::vector<std::string> names_in(std::string_view text);

/// "mode,times" and so on: what is named must be kept, `all` is everything else as far as possible.
/// Absent where a word is none of `preserved_words`.
std::optional<Preserve> parse_preserve(std::string_view text);
inline constexpr std::string_view preserved_words = "mode, times, owner, xattr, acl, all";

}  // namespace headrace::cli
