#pragma once

#include "checked/body_hash.hpp"

namespace headrace::checked {

// A body whose length nobody knows goes in chunks, each behind its size, through our memory: there
// it is hashed as it passes, since a pipe cannot be read twice.

inline constexpr Reason body_in_chunks{
    "body-in-chunks",
    "a body of unknown length goes behind the sizes of its chunks: by plain reads "
    "and writes"};

/// Sends `body` (one piece) in chunks to `socket`. Ends early, `failed` without an error, where the
/// peer says something meanwhile.
Result<Moved> send_chunks(const Body& body, DescriptorRef socket, const Options& options);

/// Receives chunks from the socket that is the one piece of `body` into `destination`.
Result<Moved> receive_chunks(const Body& body, DescriptorRef destination, const Options& options);

}  // namespace headrace::checked
