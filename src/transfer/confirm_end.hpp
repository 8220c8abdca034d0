#pragma once

#include "headrace/method.hpp"

namespace headrace {

/// A fast call moved nothing at all: is the source at its end, or does the call not serve it?
/// Decides by one plain read at the job's place that takes nothing away: pread, a peek, or for a
/// pipe the question whether writers are left. False where only a real read could tell.
bool at_end(const Job& job);

}  // namespace headrace
