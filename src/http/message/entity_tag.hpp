#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/bytes.hpp"

namespace headrace::http {

/// An entity tag (RFC 9110 8.8.3).
struct EntityTag {
  std::string opaque;  ///< without its quotes
  bool weak = false;
  friend bool operator==(const EntityTag&, const EntityTag&) = default;
};

/// `"opaque"` or `W/"opaque"`.
std::string to_string(const EntityTag& tag);

/// Reads exactly one; absent for anything else.
std::optional<EntityTag> parse_entity_tag(std::string_view value);
/// Reads a list of at least one. Absent where any part of it is malformed, "*" included.
std::optional<std::vector<EntityTag>> parse_entity_tags(std::string_view value);

/// Byte for byte the same: both are strong, and equal.
bool strongly_equal(const EntityTag& left, const EntityTag& right);
/// As good as the same.
bool weakly_equal(const EntityTag& left, const EntityTag& right);

/// What stat(2) says about the version of a file.
struct FileVersion {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  Bytes size = 0;
  std::int64_t modified_nanoseconds = 0;  ///< mtime, since 1970
  std::int64_t changed_nanoseconds = 0;   ///< ctime, since 1970
};

/// A tag of that version: a hash, so that it tells nobody about inodes.
///
/// `weak`: the file is younger than the step of the clock, so it may change and look the same. The
/// strong tag of the same state is another one: a weak tag must not match what came in that step.
EntityTag entity_tag_of(const FileVersion& version, bool weak);

}  // namespace headrace::http
