#pragma once

#include "headrace/method.hpp"

namespace headrace {

/// A pipe or a socket would keep our pages until its reader goes on, and nobody tells us when.
inline constexpr Reason keeps_our_pages{
    "keeps-our-pages",
    "a reader would hold pages of our buffer, and nobody says until when: only a file copies them"};

std::optional<Reason> refuse_vmsplice(const Facts& source, const Facts& destination,
                                      const Wishes& wishes);
int rank_vmsplice(const Facts& source, const Facts& destination);

}  // namespace headrace
