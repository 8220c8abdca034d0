#pragma once

#include <cstdint>
#include <string_view>

#include "headrace/descriptor.hpp"

namespace headrace {

/// What is known of a file system by its statfs(2) magic number.
struct FileSystem {
  std::string_view name = "unknown";
  bool pseudo = false;    ///< content is made when it is read: sizes mean nothing
  bool may_clone = true;  ///< not known to be without FICLONE; unknown ones are tried
};

FileSystem file_system_of(std::uint64_t magic);
/// Of an open file or directory; what is known of none where fstatfs(2) fails.
FileSystem file_system_holding(DescriptorRef file);

}  // namespace headrace
