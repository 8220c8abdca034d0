#pragma once

#include <optional>

#include "headrace/result.hpp"
#include "transfer/pace.hpp"

namespace headrace {

/// What a transfer needs before its next turn.
struct Need {
  enum class What {
    over,  ///< nothing: it has ended
    turn,  ///< another turn, at once or when others had theirs: the budget is spent
    source_readable,
    destination_writable,
    acknowledged,  ///< the peer must have all it was sent; look again at `when`
    tick,          ///< nothing that could be polled for: try again at `when`
    time,          ///< the pace: not before `when`, and this silence is our own
  };
  What what = What::over;
  Clock::time_point when = Clock::time_point::max();  ///< of the last three
};

/// What ended a wait.
enum class Woken {
  ready,
  stopped,           ///< the caller asked for the end
  silent,            ///< nothing happened for the whole idle time-out
  destination_gone,  ///< while waiting for the source: nobody will take its bytes any more
  answered,          ///< the destination's peer has something to say (Replies::end_it)
  cannot_wait,       ///< the wait itself failed, or the peer has reset: there is an error
};

/// The failure that a wait ended by; absent where it was none. `trouble` is that of `cannot_wait`.
std::optional<Error> failure_of(Woken woken, const std::optional<Error>& trouble);

}  // namespace headrace
