#pragma once

#include <cstdint>
#include <string_view>

namespace headrace {

/// What is known of a file system by its statfs(2) magic number.
struct FileSystem {
  std::string_view name = "unknown";
  bool pseudo = false;    ///< content is made when it is read: sizes mean nothing
  bool may_clone = true;  ///< not known to be without FICLONE; unknown ones are tried
};

FileSystem file_system_of(std::uint64_t magic);

}  // namespace headrace
