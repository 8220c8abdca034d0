#pragma once

#include <string>
#include <vector>

#include "headrace/descriptor.hpp"

namespace headrace {

/// An attribute that the copy does not have.
struct LostAttribute {
  std::string name;
  bool privileged = false;  ///< not one of the user's own (user.*)
  Error error;
};

/// Gives `file` the extended attributes of `source`: user.*, and security.* and trusted.* as far as
/// it may. Those that `file` has besides stay.
///
/// Left out: system.*, which are access lists and the like in another form (see access_list.hpp),
/// and security.evm, a signature of the very inode.
///
/// Returns those that could not be copied. Errors: the source's could not be listed.
Result<std::vector<LostAttribute>> copy_attributes(DescriptorRef source, DescriptorRef file);

}  // namespace headrace
