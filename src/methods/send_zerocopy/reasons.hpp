#pragma once

#include "headrace/reason.hpp"

namespace headrace {

inline constexpr Reason destination_not_tcp{
    "destination-not-tcp", "only a TCP socket tells when it has done with pages of ours"};
inline constexpr Reason no_zerocopy{"no-zerocopy", "the socket does not take SO_ZEROCOPY"};
inline constexpr Reason zerocopy_in_use{
    "zerocopy-in-use",
    "SO_ZEROCOPY is set already: notifications of other sends could not be told from ours"};

}  // namespace headrace
