#pragma once

#include "transfer/drive.hpp"

namespace headrace {

/// Why the method of `driven`, which was refused, gave up.
Refusal refusal_of(const Driven& driven);

/// A fast call that answers 0 in the middle is believed no more than one that begins with it: true
/// where a plain read finds more.
bool ends_too_early(const Driven& driven, const Job& job);

/// Appends a leg; consecutive progress by one method is one leg.
void add_leg(std::vector<Leg>& legs, Leg leg);

}  // namespace headrace
