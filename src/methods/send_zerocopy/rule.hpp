#pragma once

#include "headrace/method.hpp"

namespace headrace {

std::optional<Reason> refuse_send_zerocopy(const Facts& source, const Facts& destination,
                                           const Wishes& wishes);
int rank_send_zerocopy(const Facts& source, const Facts& destination);

}  // namespace headrace
