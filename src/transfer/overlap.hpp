#pragma once

#include "headrace/method.hpp"

namespace headrace {

inline constexpr Reason overlapping_ranges{
    "ranges-overlap", "the bytes read and the bytes written are the same ones of the same file"};

/// Whether a job would write over bytes of the file that it reads from.
///
/// Pure. An absent length has no bound: a file that is appended to while it is read to its end
/// never ends. Two ranges that only touch do not overlap.
bool ranges_overlap(const Job& job);

}  // namespace headrace
