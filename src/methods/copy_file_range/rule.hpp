#pragma once

#include "headrace/method.hpp"

namespace headrace {

std::optional<Reason> refuse_copy_file_range(const Facts& source, const Facts& destination,
                                             const Wishes& wishes);
int rank_copy_file_range(const Facts& source, const Facts& destination);

}  // namespace headrace
