#include "methods/vmsplice/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_vmsplice(const Facts& source, const Facts& destination,
                                      const Wishes&) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  if (destination.kind == Kind::pipe || is_socket(destination.kind)) return keeps_our_pages;
  if (destination.kind != Kind::regular) return destination_not_a_file;
  if (destination.appends) return destination_appends;
  return std::nullopt;
}

// The experiment's third receiver: measured behind splice_pipe, which copies once less.
int rank_vmsplice(const Facts&, const Facts&) { return first_rank_by_name_only; }

}  // namespace headrace
