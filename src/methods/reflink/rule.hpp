#pragma once

#include "headrace/method.hpp"

namespace headrace {

inline constexpr Reason file_system_cannot_clone{"file-system-cannot-clone",
                                                 "this file system has no shared extents"};

std::optional<Reason> refuse_reflink(const Facts& source, const Facts& destination,
                                     const Wishes& wishes);
int rank_reflink(const Facts& source, const Facts& destination);

}  // namespace headrace
