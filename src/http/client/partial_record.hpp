#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headrace/bytes.hpp"

namespace headrace::http::client {

/// What FILE.part.json says about FILE.part.
struct PartialRecord {
  std::string url;             ///< as it was asked for, before any redirect
  std::string validator;       ///< strong; empty: the server gave none
  std::optional<Bytes> total;  ///< of the whole; absent: the server did not say
  friend bool operator==(const PartialRecord&, const PartialRecord&) = default;
};

/// One object on one line, newline included. Any bytes of the URL that are no UTF-8 are replaced.
std::string to_json(const PartialRecord& record);
/// Absent where `text` is none of ours, be it cut off in the middle.
std::optional<PartialRecord> parse_record(std::string_view text);

/// What the two files beside `name` are called: ".part" and ".part.json" are appended. A name too
/// long for that (`longest`: what the file system takes) is cut, and a hash of it is appended
/// first.
struct PartialNames {
  std::string content;
  std::string record;
};
PartialNames partial_names(const std::string& name, std::size_t longest);

}  // namespace headrace::http::client
