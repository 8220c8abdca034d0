#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <vector>

#include "headrace/descriptor.hpp"

namespace headrace {

/// Where the mode, times and owner of a newly written file come from. Either may be absent.
struct Originals {
  std::optional<struct stat> source;    ///< its mode and times are kept, if a regular file
  std::optional<struct stat> replaced;  ///< the file whose place is taken: its owner is kept
};

/// Gives `file` what `given` says; to be called when its content is complete.
///
/// A `source` that is no regular file counts as absent.
/// Owner and group: those of `replaced`, or the group alone where the owner cannot be given away;
/// a file that replaces none keeps the owner it was created with.
/// Mode: that of `source`; without one that of `replaced`, less set-user-ID and set-group-ID (new
/// content never inherits a privilege the old content had); with neither, as created (umask).
/// The set-ID bits of `source` are kept only where the file has the source's owner (and, for
/// set-group-ID, its group). Where the group of `replaced` cannot be kept, its permissions shrink
/// to those of others.
/// Times: access and modification of `source`, to the nanosecond.
/// Access control lists and extended attributes are not carried over.
///
/// Returns what could not be kept, one sentence each, for the report's notes: it is no failure of
/// the copy. A mode that cannot be set leaves the narrower one the file was created with.
std::vector<std::string> keep_metadata(DescriptorRef file, const Originals& given);

/// The mode to create a file with, before umask, when `keep_metadata` follows: open to nobody else
/// until the wider mode is due.
mode_t mode_at_creation(const Originals& given);

}  // namespace headrace
