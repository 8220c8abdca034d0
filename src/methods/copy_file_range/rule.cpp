#include "methods/copy_file_range/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_copy_file_range(const Facts& source, const Facts& destination,
                                             const Wishes&) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  if (source.kind != Kind::regular) return source_not_a_file;
  if (destination.kind != Kind::regular) return destination_not_a_file;
  if (destination.appends) return destination_appends;
  // Old kernels answer 0 for files of /proc, with success: copy_file_range(2), BUGS.
  if (!size_is_known(source)) return size_unknown;
  // The kernel wants one file system type; within one it copies even between two devices.
  if (source.file_system != destination.file_system) return different_file_systems;
  return std::nullopt;
}

int rank_copy_file_range(const Facts&, const Facts&) { return 10; }

}  // namespace headrace
