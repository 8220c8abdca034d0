#pragma once

#include "headrace/report.hpp"

namespace headrace {

/// The tool's exit status for a transfer that ended like this: 0 all moved, 1 failed, 3 refused by
/// the wishes, 4 the source changed, 6 it arrived wrong. An interrupted one says which signal it
/// was (130, 143).
constexpr int exit_status(const Report& report, int signal_number) {
  constexpr int signal_base = 128;  // the shells' convention
  switch (report.outcome) {
    case Outcome::complete:
      return 0;
    case Outcome::failed:
    case Outcome::answered_early:
      return 1;
    case Outcome::refused:
      return 3;
    case Outcome::source_changed:
      return 4;
    case Outcome::mismatched:
      return 6;
    case Outcome::interrupted:
      return signal_number > 0 ? signal_base + signal_number : 1;
  }
  return 1;
}

}  // namespace headrace
