#pragma once

#include <optional>
#include <string>

#include "headrace/transfer.hpp"
#include "transfer/source_state.hpp"

namespace headrace {

/// Two ranges of regular files, open for reading, that should hold the same bytes.
struct Ranges {
  DescriptorRef source;
  Bytes source_offset = 0;
  DescriptorRef destination;
  Bytes destination_offset = 0;
  Bytes bytes = 0;
  /// The source before its first byte was moved, and the path it was looked at by.
  std::optional<SourceState> source_before;
  std::string source_path;
};

/// Reads both ranges again and compares them; what it found goes into `report`.
///
/// Before that what is written goes to the disk (fsync) and out of memory (POSIX_FADV_DONTNEED), so
/// that the reading reaches the disk where there is one; how much of it did, the kernel's own count
/// tells (/proc/thread-self/io). The positions of the descriptors are not touched.
///
/// Outcomes: as it was; `mismatched`, with a note that says where; `source_changed` instead, where
/// the source is not what it was before; `interrupted` by `stop`; `failed` where a range could not
/// be read.
void verify(const Ranges& ranges, const Stop& stop, Report& report);

}  // namespace headrace
