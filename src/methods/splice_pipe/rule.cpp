#include "methods/splice_pipe/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_splice_pipe(const Facts& source, const Facts& destination,
                                         const Wishes& wishes) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  if (source.kind == Kind::pipe || destination.kind == Kind::pipe) return an_end_is_a_pipe;
  if (source.kind == Kind::terminal) return source_is_terminal;
  if (destination.kind == Kind::terminal) return destination_is_terminal;
  if (destination.appends) return destination_appends;
  if (would_block(destination)) return destination_blocks;
  if (gives_pages_away(source, destination, wishes)) return shares_pages;
  return std::nullopt;
}

int rank_splice_pipe(const Facts&, const Facts&) { return 30; }

}  // namespace headrace
