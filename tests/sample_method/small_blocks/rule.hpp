#pragma once

#include "headrace/method.hpp"

namespace headrace {

std::optional<Reason> refuse_small_blocks(const Facts& source, const Facts& destination,
                                          const Wishes& wishes);
int rank_small_blocks(const Facts& source, const Facts& destination);

}  // namespace headrace
