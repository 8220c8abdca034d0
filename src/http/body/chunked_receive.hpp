#pragma once

#include <memory>

#include "headrace/body.hpp"
#include "http/body/chunk_rule.hpp"
#include "http/body/chunked_input.hpp"

namespace headrace::http {

/// Takes the chunk framing off what comes from the source, a socket or a pipe.
inline constexpr Method chunked_receive_method{
    .name = "chunked_receive",
    .path_class = PathClass::user,
    .summary = "read chunks into a buffer of ours, write what is in them",
    .sleeps_on_disk = true,
    .shows_bytes = true,
    .refuse = refuse_chunks,
    .rank = rank_chunks};

/// The one way to receive a chunked body. Counts content, not framing.
///
/// `input` holds what was read before, and afterwards what was read beyond the body. A source that
/// ends before the last chunk fails with BodyFault::ended_early: never `finished`.
Way chunked_receive(std::shared_ptr<ChunkedInput> input);

}  // namespace headrace::http
