#pragma once

#include "headrace/method.hpp"

namespace headrace {

std::optional<Reason> refuse_sendfile(const Facts& source, const Facts& destination,
                                      const Wishes& wishes);
int rank_sendfile(const Facts& source, const Facts& destination);

}  // namespace headrace
