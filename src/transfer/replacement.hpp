#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transfer/destination.hpp"
#include "transfer/leftovers.hpp"
#include "transfer/metadata.hpp"

namespace headrace {

struct ReplacementOptions {
  /// What `preserve` says is kept from here (fstat of the source, before it is read); absent: mode
  /// of the replaced file, or by umask. See `keep_metadata`. Ignored unless a regular file's.
  std::optional<struct stat> source;
  DescriptorRef source_file;  ///< for attributes and access list; borrowed until the commit
  Preserve preserve = {};
  /// Take a named temporary although an unnamed one could be had.
  bool named_temporary = false;
  /// The commit waits until content and name are on the disk: after a power cut the name shows the
  /// old content or the new one, whole.
  bool durable = false;
};

/// What a commit did.
struct Committed {
  bool replaced = false;           ///< an old file gave up its place
  std::vector<std::string> notes;  ///< what could not be kept, for the report
  /// The content is in place, but the name may still be lost in a power cut.
  std::optional<Obstacle> not_durable;
};

/// The new content of a file, which takes the old one's place only when it is complete.
///
/// Until `commit` succeeds, the name shows the old file, whole, or nothing. The content is written
/// to an unnamed file in the same directory; where the file system has none (O_TMPFILE), or /proc
/// is not there to link it, to a hidden one, `.NAME.headrace-XXXXXX`. Destroyed without a commit it
/// leaves nothing behind; only a SIGKILL can leave the hidden name, which an unnamed file has just
/// between being linked and being renamed. Owns its descriptors. Threads: one at a time.
class Replacement {
 public:
  /// Decides whether the place can be taken, and opens the new content.
  ///
  /// `destination` is absent or regular. Obstacles, all found before a byte is written: other
  /// hard links, a mount point, a directory where no file can be made, a sticky directory, a file
  /// that is write-protected or immutable. Where writing into the file itself would do, the detail
  /// names --in-place.
  static Placed<Replacement> open(Destination destination, const ReplacementOptions& options = {});

  Replacement(Replacement&& other) noexcept;
  Replacement& operator=(Replacement&& other) noexcept;
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();

  /// Where to write: open for reading and writing, at offset 0. Stays open after the commit.
  [[nodiscard]] DescriptorRef file() const { return file_.ref(); }
  /// The content has a hidden name until the commit.
  [[nodiscard]] bool has_temporary_name() const { return !temporary_.empty(); }

  /// Keeps the metadata, asks for late write errors (those that close(2) and, where it is to be
  /// durable, fsync(2) tell) and puts the content in place, at once for every reader. After an
  /// obstacle the name shows what it showed before; the commit can be tried again, or the
  /// replacement destroyed, which leaves nothing behind.
  ///
  /// A regular file that appeared or was replaced meanwhile is replaced; a directory, link, device
  /// or FIFO that did is left alone (`destination_changed`).
  Placed<Committed> commit();

  /// Paths of hidden files for the same name that no process holds any more: what a run that was
  /// killed left behind. Nothing is ever deleted: the user decides.
  [[nodiscard]] std::vector<std::string> left_behind() const;

 private:
  Replacement(Destination destination, Originals originals);
  Placed<void> open_content(bool named);
  Placed<void> open_named();
  Placed<void> open_directory();
  Placed<void> check_now(Occupant& occupant) const;
  Placed<void> put_in_place(bool& replaced);
  Result<void> link_as(const std::string& name) const;
  Placed<void> take_hidden_name();
  Placed<void> rename_over();
  void drop_temporary_name();

  Destination destination_;
  Originals originals_;
  Descriptor file_;
  Descriptor directory_;  // open for fsync(2); only where the commit is to be durable
  std::vector<Leftover> leftovers_;
  std::string temporary_;  // the hidden name; empty while there is none
};

}  // namespace headrace
