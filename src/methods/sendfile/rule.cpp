#include "methods/sendfile/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_sendfile(const Facts& source, const Facts& destination,
                                      const Wishes& wishes) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  if (source.kind == Kind::terminal) return source_is_terminal;
  if (source.kind == Kind::pipe || is_socket(source.kind)) return source_not_seekable;
  if (source.kind == Kind::character_device && !source.nonblocking) return source_blocks;
  if (destination.appends) return destination_appends;
  if (destination.kind == Kind::terminal) return destination_is_terminal;
  if (would_block(destination)) return destination_blocks;
  if (gives_pages_away(source, destination, wishes)) return shares_pages;
  return std::nullopt;
}

int rank_sendfile(const Facts&, const Facts& destination) {
  return destination.kind == Kind::regular ? 20 : 10;
}

}  // namespace headrace
