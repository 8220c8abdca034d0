#pragma once

#include "headrace/method.hpp"

namespace headrace {

inline constexpr Reason destination_not_readable{
    "destination-not-readable", "what is mapped to be written must be open for reading, too"};

std::optional<Reason> refuse_mmap_read(const Facts& source, const Facts& destination,
                                       const Wishes& wishes);
int rank_mmap_read(const Facts& source, const Facts& destination);

}  // namespace headrace
