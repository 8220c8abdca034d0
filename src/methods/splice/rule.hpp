#pragma once

#include "headrace/method.hpp"

namespace headrace {

std::optional<Reason> refuse_splice(const Facts& source, const Facts& destination,
                                    const Wishes& wishes);
int rank_splice(const Facts& source, const Facts& destination);

}  // namespace headrace
