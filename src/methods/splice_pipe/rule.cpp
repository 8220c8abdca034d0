#include "methods/splice_pipe/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {
namespace {

// Below this the pipe's own cost shows: at 1 MiB neither is ahead.
constexpr Bytes ahead_of_sendfile = 4 * mebibyte;

}  // namespace

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

// From a large file to a socket it goes before sendfile, which feeds the socket 64 KiB at a time
// through a pipe of the kernel's own: docs/measurements/send-paths.md.
int rank_splice_pipe(const Facts& source, const Facts& destination) {
  const bool large = size_is_known(source) && source.size >= ahead_of_sendfile;
  return large && is_socket(destination.kind) ? 5 : 30;
}

}  // namespace headrace
