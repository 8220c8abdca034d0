#include "methods/mmap_read/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_mmap_read(const Facts& source, const Facts& destination,
                                       const Wishes&) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  if (destination.kind != Kind::regular || destination.pseudo) return destination_not_a_file;
  if (destination.appends) return destination_appends;
  if (!destination.readable) return destination_not_readable;
  return std::nullopt;
}

// The page faults cost more than the copy that write(2) would have made
// (docs/measurements/by-name.md).
int rank_mmap_read(const Facts&, const Facts&) { return first_rank_by_name_only; }

}  // namespace headrace
