#pragma once

#include "headrace/method.hpp"

namespace headrace {

std::optional<Reason> refuse_mmap_write(const Facts& source, const Facts& destination,
                                        const Wishes& wishes);
int rank_mmap_write(const Facts& source, const Facts& destination);

}  // namespace headrace
