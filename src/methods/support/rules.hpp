#pragma once

#include "headrace/method.hpp"

namespace headrace {

// Questions that several rules ask. Pure.

/// A directory on either end: no method moves that.
std::optional<Reason> refuse_directories(const Facts& source, const Facts& destination);

/// A call without a non-blocking flag of its own would sleep in this destination until its reader
/// goes on: a pipe or socket that is blocking and, not being ours, stays so.
bool would_block(const Facts& destination);

/// `stable` was asked for, and this move would hand pages of a file to a reader who may look at
/// them later.
bool gives_pages_away(const Facts& source, const Facts& destination, const Wishes& wishes);

}  // namespace headrace
