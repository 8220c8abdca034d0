#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "headrace/descriptor.hpp"

namespace headrace {

/// A POSIX access control list as the kernel gives it (`system.posix_acl_access`).
struct AccessList {
  std::vector<std::byte> bytes;
};

/// The list of an open file; absent where it has none beyond its mode, or its file system none.
Result<std::optional<AccessList>> access_list_of(DescriptorRef file);
/// The same of a file that may not be opened; `directory` may be O_PATH.
Result<std::optional<AccessList>> access_list_at(DescriptorRef directory, const std::string& name);

/// Gives `file` this list, or none. Sets the permissions of its mode too, as the list says.
Result<void> set_access_list(DescriptorRef file, const std::optional<AccessList>& list);

/// What the list lets the owning group do, as bits of S_IRWXG. The group's bits of the mode are the
/// mask instead: taken without the list they would open the file wider than it was. Pure; nothing
/// of a list that is not understood.
mode_t group_permissions(const AccessList& list);

}  // namespace headrace
