#include "methods/mmap_write/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

// `stable` is served: write(2) copies from the mapping when it is called.
std::optional<Reason> refuse_mmap_write(const Facts& source, const Facts& destination,
                                        const Wishes&) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  if (!is_file(source.kind)) return source_not_seekable;
  if (!size_is_known(source)) return size_unknown;
  return std::nullopt;
}

// The page faults cost more than the copy that read(2) would have made
// (docs/measurements/by-name.md).
int rank_mmap_write(const Facts&, const Facts&) { return first_rank_by_name_only; }

}  // namespace headrace
