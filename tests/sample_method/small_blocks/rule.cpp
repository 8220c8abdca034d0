#include "methods/small_blocks/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_small_blocks(const Facts& source, const Facts& destination,
                                          const Wishes& /*wishes*/) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  if (source.kind != Kind::regular) return source_not_a_file;
  if (would_block(destination)) return destination_blocks;
  return std::nullopt;
}

// Nothing shows it ahead of another method, so only --method takes it.
int rank_small_blocks(const Facts& /*source*/, const Facts& /*destination*/) {
  return first_rank_by_name_only;
}

}  // namespace headrace
