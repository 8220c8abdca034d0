#include "transfer/replacement.hpp"

#include <fcntl.h>

#include <utility>

#include "sys/files.hpp"
#include "sys/storage.hpp"
#include "transfer/hidden_name.hpp"
#include "transfer/replaceable.hpp"

namespace headrace {
namespace {

// Each try draws one of 2^30 names; that a hundred are taken in a row is no accident.
constexpr int most_names_tried = 100;

bool is(const Error& error, std::errc condition) { return error.code == condition; }

/// O_TMPFILE is not to be had here: the file system lacks it, or the kernel does not know it and
/// took the flags for something else.
bool lacks_unnamed_files(const Error& error) {
  return is(error, std::errc::operation_not_supported) || is(error, std::errc::is_a_directory) ||
         is(error, std::errc::invalid_argument) ||
         is(error, std::errc::no_such_file_or_directory) ||
         is(error, std::errc::function_not_supported);
}

std::string link_in_proc(DescriptorRef file) {
  return "/proc/self/fd/" + std::to_string(file.number());
}

/// The errors that only closing tells (NFS, FUSE), asked for while a failure can still be undone.
Result<void> late_write_errors(DescriptorRef file) {
  auto second = sys::duplicate(file);
  if (!second) return {};  // out of descriptors: the bytes are written, and close() may still tell
  return second->close();
}

/// Calls `take(name)` with hidden names until one is free; returns that one.
template <class Take>
Result<std::string> take_free_name(const Destination& destination, Take take) {
  const std::size_t longest = longest_name(destination.directory.ref());
  for (int tried = 0;; ++tried) {
    auto name = tried < first_names ? first_name(destination.name, longest, tried)
                                    : hidden_name(destination.name, longest);
    if (!name) return name;
    const Result<void> taken = take(*name);
    if (taken) return name;
    const bool in_use = is(taken.error(), std::errc::file_exists);
    if (!in_use || tried == most_names_tried) return std::unexpected(taken.error());
  }
}

/// Others find out by this lock that the file is in use: it goes with its holder, however that
/// ends. On a file just made nobody else has one (a look takes none), so it fails only where there
/// are no locks; there nothing is ever called left behind.
void claim(DescriptorRef file) {
  [[maybe_unused]] const auto locked = sys::set_record_lock(file, F_WRLCK);
}

/// What has its name is the user's, to lock as they like.
void give_up_claim(DescriptorRef file) {
  [[maybe_unused]] const auto unlocked = sys::set_record_lock(file, F_UNLCK);
}

Originals originals_of(const Destination& destination, const ReplacementOptions& options) {
  Originals originals{.source = options.source,
                      .source_file = options.source_file,
                      .preserve = options.preserve,
                      .replaced = {},
                      .replaced_list = {}};
  if (destination.kind != DestinationKind::regular) return originals;
  originals.replaced = destination.status;
  originals.replaced_list = access_list_at(destination.directory.ref(), destination.name);
  return originals;
}

}  // namespace

Placed<Replacement> Replacement::open(Destination destination, const ReplacementOptions& options) {
  if (destination.kind == DestinationKind::regular) {
    auto obstacle = refuse_replacing(destination, destination.status);
    if (obstacle) return std::unexpected(std::move(*obstacle));
  }
  Originals originals = originals_of(destination, options);
  Replacement replacement(std::move(destination), std::move(originals));
  replacement.leftovers_ = find_leftovers(replacement.destination_);
  if (options.durable) {
    auto directory = replacement.open_directory();
    if (!directory) return std::unexpected(std::move(directory.error()));
  }
  auto opened = replacement.open_content(options.named_temporary);
  if (!opened) return std::unexpected(std::move(opened.error()));
  return replacement;
}

Replacement::Replacement(Destination destination, Originals originals)
    : destination_(std::move(destination)), originals_(std::move(originals)) {}

Replacement::Replacement(Replacement&& other) noexcept
    : destination_(std::move(other.destination_)),
      originals_(std::move(other.originals_)),
      file_(std::move(other.file_)),
      directory_(std::move(other.directory_)),
      leftovers_(std::move(other.leftovers_)),
      temporary_(std::exchange(other.temporary_, {})) {}

Replacement& Replacement::operator=(Replacement&& other) noexcept {
  if (this == &other) return *this;
  drop_temporary_name();
  destination_ = std::move(other.destination_);
  originals_ = std::move(other.originals_);
  file_ = std::move(other.file_);
  directory_ = std::move(other.directory_);
  leftovers_ = std::move(other.leftovers_);
  temporary_ = std::exchange(other.temporary_, {});
  return *this;
}

Replacement::~Replacement() { drop_temporary_name(); }

void Replacement::drop_temporary_name() {
  if (temporary_.empty()) return;
  // Gone already, or the directory became read-only: either way there is no more to be done.
  [[maybe_unused]] const auto gone = sys::unlinkat(destination_.directory.ref(), temporary_, 0);
  temporary_.clear();
}

Placed<void> Replacement::open_content(bool named) {
  if (named) return open_named();
  auto file = sys::openat(destination_.directory.ref(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC,
                          mode_at_creation(originals_));
  if (!file && lacks_unnamed_files(file.error())) return open_named();
  if (!file) return std::unexpected(obstacle_in_directory(destination_, file.error()));
  file_ = std::move(*file);
  claim(file_.ref());
  // Without /proc only the privileged can link an unnamed file: better to know before writing it.
  const bool linkable =
      sys::fstatat(sys::working_directory, link_in_proc(file_.ref()), AT_SYMLINK_NOFOLLOW)
          .has_value();
  if (!linkable) return open_named();
  return {};
}

Placed<void> Replacement::open_named() {
  auto name = take_free_name(destination_, [&](const std::string& candidate) -> Result<void> {
    auto file = sys::openat(destination_.directory.ref(), candidate,
                            O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                            mode_at_creation(originals_));
    if (!file) return std::unexpected(file.error());
    file_ = std::move(*file);
    claim(file_.ref());
    return {};
  });
  if (!name) return std::unexpected(obstacle_in_directory(destination_, name.error()));
  temporary_ = std::move(*name);
  return {};
}

/// Before a byte is written: a directory that cannot be opened cannot be made durable either.
Placed<void> Replacement::open_directory() {
  auto opened = sys::openat(destination_.directory.ref(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!opened) {
    return std::unexpected(Obstacle{
        destination_failed, opened.error(),
        "the directory of '" + destination_.path + "' cannot be opened, so not be synchronised"});
  }
  directory_ = std::move(*opened);
  return {};
}

Placed<Committed> Replacement::commit() {
  auto notes = keep_metadata(file_.ref(), originals_);
  if (!notes) return std::unexpected(std::move(notes.error()));
  Committed committed{.replaced = false, .notes = std::move(*notes)};
  const bool durable = directory_.valid();
  auto written = durable ? sys::fsync(file_.ref()) : Result<void>{};
  if (written) written = late_write_errors(file_.ref());
  if (!written) return std::unexpected(obstacle_in_directory(destination_, written.error()));
  auto placed = put_in_place(committed.replaced);
  if (!placed) return std::unexpected(std::move(placed.error()));
  give_up_claim(file_.ref());
  const auto named = durable ? sys::fsync(directory_.ref()) : Result<void>{};
  if (!named) {
    committed.not_durable =
        Obstacle{destination_not_durable, named.error(),
                 "'" + destination_.path +
                     "' is in place, whole, but a power cut may still bring the old one back"};
  }
  return committed;
}

std::vector<std::string> Replacement::left_behind() const {
  return still_left_behind(destination_, leftovers_);
}

Placed<void> Replacement::put_in_place(bool& replaced) {
  Occupant occupant;
  if (auto checked = check_now(occupant); !checked) return checked;
  if (!occupant.exists && temporary_.empty()) {
    const auto linked = link_as(destination_.name);
    if (linked) return {};
    if (!is(linked.error(), std::errc::file_exists)) {
      return std::unexpected(obstacle_in_directory(destination_, linked.error()));
    }
    // Somebody made the file between the look and the link.
    if (auto checked = check_now(occupant); !checked) return checked;
  }
  replaced = occupant.exists;
  if (temporary_.empty()) {
    if (auto taken = take_hidden_name(); !taken) return taken;
  }
  return rename_over();
}

/// Looks again at the name: what came there since must be something a file may replace.
Placed<void> Replacement::check_now(Occupant& occupant) const {
  const auto found = occupant_of(destination_.directory.ref(), destination_.name);
  if (!found) return std::unexpected(obstacle_in_directory(destination_, found.error()));
  occupant = *found;
  if (!occupant.exists) return {};
  if (!S_ISREG(occupant.status.st_mode)) {
    return std::unexpected(Obstacle{
        destination_changed, {}, "'" + destination_.path + "' is no regular file any more"});
  }
  auto obstacle = refuse_replacing(destination_, occupant.status);
  if (obstacle) return std::unexpected(std::move(*obstacle));
  return {};
}

/// Two ways, since each may be closed: the first asks for a privilege before Linux 6.10, the second
/// for /proc.
Result<void> Replacement::link_as(const std::string& name) const {
  auto linked = sys::linkat(file_.ref(), "", destination_.directory.ref(), name, AT_EMPTY_PATH);
  if (linked || is(linked.error(), std::errc::file_exists)) return linked;
  return sys::linkat(sys::working_directory, link_in_proc(file_.ref()),
                     destination_.directory.ref(), name, AT_SYMLINK_FOLLOW);
}

Placed<void> Replacement::take_hidden_name() {
  auto name = take_free_name(destination_,
                             [&](const std::string& candidate) { return link_as(candidate); });
  if (!name) return std::unexpected(obstacle_in_directory(destination_, name.error()));
  temporary_ = std::move(*name);
  return {};
}

Placed<void> Replacement::rename_over() {
  const DescriptorRef directory = destination_.directory.ref();
  const auto renamed = sys::renameat(directory, temporary_, directory, destination_.name);
  if (!renamed) return std::unexpected(obstacle_in_directory(destination_, renamed.error()));
  temporary_.clear();
  return {};
}

}  // namespace headrace
