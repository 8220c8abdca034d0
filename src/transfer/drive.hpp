#pragma once

#include <functional>

#include "headrace/transfer.hpp"
#include "transfer/keeping.hpp"
#include "transfer/pace.hpp"
#include "transfer/reservation.hpp"
#include "transfer/waiter.hpp"

namespace headrace {

/// What the turns of one body share, over all its pieces and methods.
struct Course {
  const Body& body;
  const Options& options;
  Pace pace;
  Reservation& reservation;
  Keeping& keeping;
  std::optional<Bytes> expected;  ///< of the whole body
  Bytes moved = 0;                ///< of the whole body, by finished legs
  Bytes holes = 0;                ///< and what needed no moving
};

/// How one method fared.
struct Driven {
  Leg leg;
  Progress progress;             ///< the last answer of its engine
  bool interrupted = false;      ///< stopped by the caller; the leg's ending is `paused`
  std::optional<Change> change;  ///< of a source, so that the last bytes were not sent; `paused`
};

/// Runs one engine until it ends or the caller stops it: turn, wait, turn...
Driven drive(const Method& method, const Job& job, Course& course);

}  // namespace headrace
