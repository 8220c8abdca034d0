#pragma once

#include "headrace/method.hpp"

namespace headrace {

std::optional<Reason> refuse_read_write(const Facts& source, const Facts& destination,
                                        const Wishes& wishes);
int rank_read_write(const Facts& source, const Facts& destination);

}  // namespace headrace
