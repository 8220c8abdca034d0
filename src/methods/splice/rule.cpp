#include "methods/splice/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_splice(const Facts& source, const Facts& destination,
                                    const Wishes& wishes) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  const bool to_pipe = destination.kind == Kind::pipe;
  if (source.kind != Kind::pipe && !to_pipe) return no_end_is_a_pipe;
  if (source.kind == Kind::terminal) return source_is_terminal;
  if (destination.kind == Kind::terminal) return destination_is_terminal;
  if (destination.appends && !to_pipe) return destination_appends;
  // SPLICE_F_NONBLOCK speaks of the pipe only; a blocking socket or device would still sleep.
  if (!to_pipe && would_block(destination)) return destination_blocks;
  if (gives_pages_away(source, destination, wishes)) return shares_pages;
  return std::nullopt;
}

int rank_splice(const Facts&, const Facts&) { return 10; }

}  // namespace headrace
