#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <vector>

#include "headrace/descriptor.hpp"
#include "transfer/access_list.hpp"
#include "transfer/destination.hpp"
#include "transfer/preserve.hpp"

namespace headrace {

inline constexpr Reason metadata_not_kept{"metadata-not-kept",
                                          "what --preserve names cannot be kept"};

/// Where the metadata of a newly written file comes from. Either may be absent.
struct Originals {
  std::optional<struct stat> source;  ///< what `preserve` says is kept of it, if a regular file
  DescriptorRef source_file;          ///< for attributes and access list; none: it has none
  Preserve preserve;
  std::optional<struct stat> replaced;  ///< the file whose place is taken: its owner is kept
  Result<std::optional<AccessList>> replaced_list;  ///< an error: it may have one, nobody knows
};

/// Gives `file` what `given` says; to be called when its content is complete.
///
/// A `source` that is no regular file counts as absent; so does one of which nothing is preserved.
/// Owner and group: those of `replaced` (of `source` where preserved), or the group alone where the
/// owner cannot be given away; a file that replaces none keeps the owner it was created with.
/// Mode: that of `source` where preserved; else that of `replaced`, less set-user-ID and
/// set-group-ID (new content never inherits a privilege the old content had); with neither, as
/// created (umask). The set-ID bits of `source` are kept only where the file has the source's owner
/// (and, for set-group-ID, its group); else they count as not kept. Where the group of `replaced`
/// cannot be kept, its permissions shrink to those of others. Access list: that of `source` where
/// preserved, which sets the permissions too; else that of `replaced`, cut by the mode as chmod(2)
/// does it; else the one inherited from the directory, likewise. A mode without the list it belongs
/// to gives the group what the list gave it, no more: nothing where the list cannot be read. Times:
/// access and modification of `source`, to the nanosecond. Extended attributes: those of `source`
/// where preserved; those of `replaced` told of its content.
///
/// Returns what could not be kept, one sentence each, for the report's notes: it is no failure of
/// the copy. A mode that cannot be set leaves the narrower one the file was created with.
/// Obstacle: `metadata_not_kept`, where that was required.
Placed<std::vector<std::string>> keep_metadata(DescriptorRef file, const Originals& given);

/// The mode to create a file with, before umask, when `keep_metadata` follows: open to nobody else
/// until the wider mode is due.
mode_t mode_at_creation(const Originals& given);

}  // namespace headrace
