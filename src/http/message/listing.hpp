#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headrace/bytes.hpp"
#include "http/message/date.hpp"

namespace headrace::http {

struct Entry {
  enum class Kind { file, directory };
  std::string name;  ///< any bytes but '/' and NUL
  Kind kind = Kind::file;
  Bytes size = 0;  ///< of a file; a directory has none to show
  Time modified;
};

/// A directory as its path (decoded, with a '/' at its end) and what is in it, in any order.
struct Listing {
  std::string path;
  std::vector<Entry> entries;
};

// Directories come first, then by name, byte by byte. Links are relative: they are right wherever
// the path is mounted.

/// A page that needs no script and nothing from elsewhere.
std::string listing_html(Listing listing);
/// {"path", "entries": [{"name", "href", "kind", "size", "modified"}]}; always valid. `href` is
/// exact where a name is not UTF-8.
std::string listing_json(Listing listing);
/// One line each: time, size ("-" for directories), name, a '/' behind directories. For eyes: what
/// is not printable in a name is replaced.
std::string listing_text(Listing listing);

/// The media types of the three.
inline constexpr std::string_view listing_html_type = "text/html; charset=utf-8";
inline constexpr std::string_view listing_json_type = "application/json";
inline constexpr std::string_view listing_text_type = "text/plain; charset=utf-8";

}  // namespace headrace::http
