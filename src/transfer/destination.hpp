#pragma once

#include <sys/stat.h>

#include <expected>
#include <optional>
#include <string>

#include "headrace/descriptor.hpp"
#include "headrace/reason.hpp"

namespace headrace {

/// Why a file cannot be written the way it was asked for.
///
/// `detail` is a whole sentence for the user: it names the path and, where there is one, the way
/// out. `error` is the call that said no, where a call did.
struct Obstacle {
  Reason reason;
  std::optional<Error> error;
  std::string detail;
};

/// The detail and what the call answered, as one line.
std::string describe(const Obstacle& obstacle);

/// A value or the obstacle in its way.
template <class T>
class [[nodiscard]] Placed : public std::expected<T, Obstacle> {
 public:
  using std::expected<T, Obstacle>::expected;
};

inline constexpr Reason destination_failed{"destination-failed",
                                           "the destination cannot be opened or put in place"};
inline constexpr Reason destination_is_directory{"destination-is-directory",
                                                 "the destination is a directory"};
inline constexpr Reason destination_is_socket{"destination-is-socket",
                                              "the destination is a socket"};
inline constexpr Reason destination_is_mount_point{
    "destination-is-mount-point", "a mount point cannot be replaced, only written in place"};
inline constexpr Reason destination_has_other_links{
    "destination-has-other-links", "replacing the file would part it from its other names"};
inline constexpr Reason destination_is_immutable{"destination-is-immutable",
                                                 "the file's attributes forbid to change it"};
inline constexpr Reason destination_not_writable{"destination-not-writable",
                                                 "no permission to write to the destination"};
inline constexpr Reason directory_not_writable{"directory-not-writable",
                                               "no new file can be made in the directory"};
inline constexpr Reason directory_is_sticky{
    "directory-is-sticky", "the directory lets only the owner of a file replace it"};
inline constexpr Reason destination_changed{"destination-changed",
                                            "the destination became something else meanwhile"};
inline constexpr Reason destination_not_durable{
    "destination-not-durable", "the new file is in place, but not surely on the disk"};
inline constexpr Reason same_file{"same-file", "source and destination are the same file"};

enum class DestinationKind {
  absent,           ///< a new file: `Replacement` or `open_in_place`
  regular,          ///< `Replacement` or `open_in_place`
  written_through,  ///< device, FIFO, file of /proc or /sys: only `open_through`
};

/// What a path leads to, symbolic links followed; found once, and not opened yet.
///
/// The directory stays open, and everything later happens relative to it: a directory renamed
/// meanwhile takes the transfer along.
struct Destination {
  DestinationKind kind = DestinationKind::absent;
  Descriptor directory;  ///< O_PATH
  std::string name;      ///< inside `directory`; a link only when it is one of /proc's magic ones
  std::string path;      ///< as the user wrote it, for messages
  struct stat status{};  ///< where not absent
  DescriptorRef own;     ///< the path names an open descriptor of this process (/dev/stdout)
};

/// Follows `path` and says what is there. Opens, creates and changes nothing.
///
/// Obeys the kernel's protected_symlinks. A dangling link leads to an absent destination. `own` is
/// set where the path leads through /proc/self/fd: the descriptor itself is meant, with its
/// position and its O_APPEND.
/// Obstacles: a directory (the detail names DIRECTORY/`name_inside` as what to type), a socket, an
/// empty path, a parent that does not exist or is no directory, a loop, a name too long.
Placed<Destination> find_destination(const std::string& path, std::string_view name_inside);

/// `same_file` where `source` (from fstat) is what `destination` leads to: by device and inode,
/// block devices by their number. Terminals and other character devices may be both ends.
std::optional<Obstacle> refuse_same_file(const Destination& destination, const struct stat& source);

/// Opens the existing file itself for writing at offset 0 (or makes a new one, mode by umask).
///
/// The old content stays until the caller truncates: do that when nothing can be refused any more.
/// The descriptor is readable too where the file's mode allows it.
Placed<Descriptor> open_in_place(const Destination& destination);

/// Opens a `written_through` destination: non-blocking, never as the controlling terminal; a
/// duplicate of `own` (whose flags stay as they are) where that is set. The old content of a
/// regular file stays until the caller truncates; see `is_to_be_emptied`.
///
/// An Obstacle with error ENXIO on a FIFO means that it has no reader yet: try again later.
Placed<Descriptor> open_through(const Destination& destination);

/// Whether new content takes the place of old in an existing `destination`, once nothing can be
/// refused any more: a regular file (be it behind another process's magic link) that is not `own`.
bool is_to_be_emptied(const Destination& destination);

/// Whether `destination` is a FIFO, which can be opened only when a reader is there.
bool waits_for_reader(const Destination& destination);

/// What stands under `name` in `directory` now, without following a link.
struct Occupant {
  bool exists = false;
  struct stat status{};
};
Result<Occupant> occupant_of(DescriptorRef directory, const std::string& name);

}  // namespace headrace
