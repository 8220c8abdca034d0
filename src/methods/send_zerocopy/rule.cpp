#include "methods/send_zerocopy/rule.hpp"

#include "methods/send_zerocopy/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_send_zerocopy(const Facts& source, const Facts& destination,
                                           const Wishes&) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  if (destination.kind != Kind::tcp) return destination_not_tcp;
  return std::nullopt;
}

// Whether it gains anything is the network card's affair: to a peer on this machine it never does.
int rank_send_zerocopy(const Facts&, const Facts&) { return first_rank_by_name_only; }

}  // namespace headrace
