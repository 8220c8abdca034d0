#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "headrace/report.hpp"

namespace headrace {

/// Which file it is.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// A point in time to the nanosecond, as the kernel gives it.
struct Instant {
  time_t seconds = 0;
  long nanoseconds = 0;
  friend auto operator<=>(const Instant&, const Instant&) = default;
};
constexpr Instant instant_of(const struct timespec& time) { return {time.tv_sec, time.tv_nsec}; }

/// What can be seen of a source without reading it.
struct SourceState {
  FileIdentity identity;
  Bytes size = 0;
  Instant modified;                     ///< st_mtim
  Instant changed;                      ///< st_ctim
  std::optional<FileIdentity> at_path;  ///< where its path leads; absent: nowhere, or not asked
};

/// Looks at `source`, and at `path` where there is one. Errors: fstat(2) failing.
Result<SourceState> look_at(DescriptorRef source, const std::string& path);

/// What must have happened between two looks, the most telling of all that did: replaced, then the
/// size, then the content, then the rest. Absent: nothing that shows. Pure.
std::optional<Change> change_between(const SourceState& before, const SourceState& after);

/// Its file system counts seconds (ext3, ext4 with small inodes) or pairs of them (vfat): of those
/// that count nanoseconds hardly any file has a ctime without. Pure.
constexpr bool counts_seconds(const SourceState& state) { return state.changed.nanoseconds == 0; }

/// A change made at `now` or later is sure to give another ctime than `state` has. `now` is the
/// clock that the kernel stamps files by (CLOCK_REALTIME_COARSE), read after the look. Pure.
bool is_settled(const SourceState& state, const Instant& now);

/// The kernel (uname -r) and the file system stamp a change that follows a look with a time of its
/// own, even within one tick of the clock: multigrain timestamps, from 6.13 on. Pure.
bool has_fine_times(std::string_view kernel_release, std::string_view file_system);

}  // namespace headrace
