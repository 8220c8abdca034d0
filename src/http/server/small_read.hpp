#pragma once

#include <cstddef>
#include <span>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::http::server {

/// What is known about reads of a file: whether one can be told from another that would sleep.
enum class Warmth {
  asked,        ///< RWF_NOWAIT tells
  always,       ///< it is in memory: tmpfs
  never_known,  ///< each read may sleep: it is left to a worker
};

enum class SmallRead {
  whole,
  cold,       ///< it would sleep on a disk
  unknown,    ///< the file system does not know RWF_NOWAIT
  cut_short,  ///< the file has ended, or cannot be read
};

/// Fills `room` from `offset` on; waits for the disk where `may_sleep`.
SmallRead read_small(DescriptorRef file, std::span<std::byte> room, Bytes offset, bool may_sleep);

/// For a file whose file system does not know RWF_NOWAIT.
Warmth warmth_of(DescriptorRef file);

}  // namespace headrace::http::server
