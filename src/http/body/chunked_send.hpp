#pragma once

#include "headrace/body.hpp"
#include "http/body/chunk_rule.hpp"

namespace headrace::http {

/// Puts what comes from the source into chunks.
inline constexpr Method chunked_send_method{
    .name = "chunked_send",
    .path_class = PathClass::user,
    .summary = "read into a buffer of ours, send each as a chunk",
    .sleeps_on_disk = true,
    .shows_bytes = true,
    .sends_head = true,
    .refuse = refuse_chunks,
    .rank = rank_chunks};

/// The one way to send a body of unknown length. Counts content, not framing.
///
/// A chunk with its size goes in one send; the last one, of no bytes, where the source ends. A file
/// that ends before its known size gets no last chunk: the message stays visibly incomplete. The
/// head goes with the first chunk, or alone where the source keeps us waiting.
Way chunked_send();

}  // namespace headrace::http
