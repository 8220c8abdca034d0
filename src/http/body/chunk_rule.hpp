#pragma once

#include "headrace/method.hpp"

namespace headrace::http {

// A body of unknown length goes in chunks, each behind its size (RFC 9112 7.1), so through our
// memory: no call of the kernel's takes the sizes out or puts them in.

inline constexpr Reason body_in_chunks{
    "body-in-chunks", "each chunk stands behind its size, so the bytes pass through our memory"};

/// Any two ends that hold bytes, like reading and writing.
std::optional<Reason> refuse_chunks(const Facts& source, const Facts& destination,
                                    const Wishes& wishes);
int rank_chunks(const Facts& source, const Facts& destination);

}  // namespace headrace::http
