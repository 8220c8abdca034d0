#include "http/client/partial.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <span>

#include "headrace/transfer.hpp"
#include "sys/files.hpp"
#include "sys/read_write.hpp"
#include "sys/storage.hpp"
#include "transfer/hidden_name.hpp"
#include "transfer/replaceable.hpp"

namespace headrace::http::client {
namespace {

// Ours is a URL and a few words; what is longer is none of ours.
constexpr std::size_t most_of_record = 64 * kibibyte;
// A URL may hold what is nobody else's business.
constexpr mode_t mode_of_record = 0600;

bool is(const Error& error, std::errc condition) { return error.code == condition; }

/// FILE.part's path as the user would type it: the file may lie elsewhere than its name, where that
/// is a link.
std::string path_beside(const Destination& destination, const std::string& name) {
  if (destination.path.ends_with(destination.name)) {
    return destination.path.substr(0, destination.path.size() - destination.name.size()) + name;
  }
  const auto directory =
      sys::readlinkat(sys::working_directory,
                      "/proc/self/fd/" + std::to_string(destination.directory.ref().number()));
  return directory ? *directory + "/" + name : name;
}

Result<void> write_all(DescriptorRef file, std::string_view text) {
  auto left = std::as_bytes(std::span(text));
  while (!left.empty()) {
    const auto written = sys::write(file, left);
    if (!written) return std::unexpected(written.error());
    left = left.subspan(*written);
  }
  return {};
}

Result<std::string> read_start(DescriptorRef file, std::size_t most) {
  std::string text(most, '\0');
  std::size_t filled = 0;
  while (filled < most) {
    const auto got = sys::read(file, std::as_writable_bytes(std::span(text)).subspan(filled));
    if (!got) return std::unexpected(got.error());
    if (*got == 0) break;
    filled += *got;
  }
  text.resize(filled);
  return text;
}

/// The errors that only closing tells (NFS, FUSE), asked for while FILE is what it was.
Result<void> late_write_errors(DescriptorRef file) {
  auto second = sys::duplicate(file);
  if (!second) return {};  // out of descriptors: the bytes are written, and close() may still tell
  return second->close();
}

Originals originals_of(const Destination& destination) {
  Originals originals{.source = {},
                      .source_file = {},
                      .preserve = preserve_nothing,
                      .replaced = {},
                      .replaced_list = {}};
  if (destination.kind != DestinationKind::regular) return originals;
  originals.replaced = destination.status;
  originals.replaced_list = access_list_at(destination.directory.ref(), destination.name);
  return originals;
}

Obstacle exists_already(const Destination& destination) {
  return {
      destination_exists,
      {},
      "'" + destination.path +
          "' is there already, and a name that the server gave replaces nothing: name the FILE"};
}

}  // namespace

Placed<Partial> Partial::open(Destination destination, bool may_replace) {
  if (destination.kind == DestinationKind::regular) {
    if (!may_replace) return std::unexpected(exists_already(destination));
    auto refused = refuse_replacing(destination, destination.status);
    if (refused) return std::unexpected(std::move(*refused));
  }
  Partial partial(std::move(destination), may_replace);
  auto opened = partial.open_existing();
  if (!opened) return std::unexpected(std::move(opened.error()));
  return partial;
}

Partial::Partial(Destination destination, bool may_replace)
    : destination_(std::move(destination)),
      may_replace_(may_replace),
      names_(partial_names(destination_.name, longest_name(destination_.directory.ref()))),
      path_(path_beside(destination_, names_.content)),
      originals_(originals_of(destination_)) {}

Obstacle Partial::obstacle(const Error& error, std::string_view what) const {
  return {destination_failed, error, "cannot " + std::string(what) + " '" + path_ + "'"};
}

Placed<void> Partial::open_existing() {
  auto opened = sys::openat(destination_.directory.ref(), names_.content,
                            O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!opened && is(opened.error(), std::errc::no_such_file_or_directory)) return {};
  if (!opened) return std::unexpected(obstacle(opened.error(), "open"));
  file_ = std::move(*opened);
  if (auto claimed = claim(); !claimed) return claimed;
  const bool is_ours = read_record() || have_ == 0;  // an empty one is nobody's loss
  if (is_ours) return {};
  return std::unexpected(Obstacle{partial_not_ours,
                                  {},
                                  "'" + path_ + "' is there without a '" + names_.record +
                                      "' that says what it is a part of: remove it"});
}

/// Ours alone from now on: a regular file of ours that still has its name, and nobody writes to.
Placed<void> Partial::claim() {
  const auto status = sys::fstat(file_.ref());
  if (!status) return std::unexpected(obstacle(status.error(), "look at"));
  if (!S_ISREG(status->st_mode) || status->st_uid != ::geteuid()) {
    return std::unexpected(Obstacle{
        partial_not_ours, {}, "'" + path_ + "' is no regular file of this user: remove it"});
  }
  const auto locked = sys::set_record_lock(file_.ref(), F_WRLCK);
  const bool held = !locked && (is(locked.error(), std::errc::resource_unavailable_try_again) ||
                                is(locked.error(), std::errc::permission_denied));
  // Between the open and the lock it may have become FILE, and a new one may have been made.
  const auto now = occupant_of(destination_.directory.ref(), names_.content);
  const bool same = now && now->exists && now->status.st_dev == status->st_dev &&
                    now->status.st_ino == status->st_ino;
  if (held || !same) {
    return std::unexpected(
        Obstacle{partial_in_use, {}, "another process is writing to '" + path_ + "'"});
  }
  have_ = static_cast<Bytes>(status->st_size);
  return {};
}

/// False where there is none, or something that no run of ours made: a link, a directory, a FIFO.
/// A record that cannot be understood is one.
bool Partial::read_record() {
  const auto file = sys::openat(destination_.directory.ref(), names_.record,
                                O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!file) return false;
  const auto status = sys::fstat(file->ref());
  if (!status || !S_ISREG(status->st_mode)) return false;
  const auto text = read_start(file->ref(), most_of_record);
  if (text) record_ = parse_record(*text);
  return true;
}

Placed<void> Partial::make() {
  auto made = sys::openat(destination_.directory.ref(), names_.content,
                          O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_at_creation(originals_));
  if (!made && is(made.error(), std::errc::file_exists)) {
    return std::unexpected(
        Obstacle{partial_in_use, {}, "another process has just made '" + path_ + "'"});
  }
  if (!made) return std::unexpected(obstacle_in_directory(destination_, made.error()));
  file_ = std::move(*made);
  return claim();
}

/// To be called while FILE.part is empty, or what it has is a part of just that.
Placed<void> Partial::write_record(const PartialRecord& record) {
  auto file = sys::openat(destination_.directory.ref(), names_.record,
                          O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                          mode_of_record);
  if (!file) return std::unexpected(obstacle(file.error(), "write beside"));
  auto written = write_all(file->ref(), to_json(record));
  if (written) written = file->close();
  if (!written) return std::unexpected(obstacle(written.error(), "write beside"));
  record_ = record;
  return {};
}

Placed<void> Partial::begin(const PartialRecord& record) {
  if (!file_.valid()) {
    if (auto made = make(); !made) return made;
  }
  // Emptied before the record says something else: no other order survives a kill.
  const auto emptied = sys::ftruncate(file_.ref(), 0);
  if (!emptied) return std::unexpected(obstacle(emptied.error(), "empty"));
  have_ = 0;
  return write_record(record);
}

Placed<void> Partial::begin_with(const PartialRecord& record, DescriptorRef file, Bytes bytes) {
  if (auto begun = begin(record); !begun) return begun;
  const auto copied = transfer(body_of(file, 0, bytes), Plain{file_.ref()});
  if (!copied) return std::unexpected(obstacle(copied.error(), "write"));
  if (copied->outcome == Outcome::complete && copied->bytes == bytes) {
    have_ = bytes;
    return {};
  }
  std::optional<Error> error = copied->error;
  if (!error && !copied->legs.empty()) error = copied->legs.back().error;
  return std::unexpected(
      Obstacle{destination_failed, error,
               "cannot copy what is in '" + destination_.path + "' to '" + path_ + "'"});
}

Placed<void> Partial::go_on(const PartialRecord& record) {
  // Cut to the size it has: blocks that a run which was killed had reserved go back.
  auto ready = sys::ftruncate(file_.ref(), have_);
  if (ready) {
    const auto there = sys::lseek(file_.ref(), static_cast<std::int64_t>(have_), SEEK_SET);
    if (!there) ready = std::unexpected(there.error());
  }
  if (!ready) return std::unexpected(obstacle(ready.error(), "write on in"));
  return record_ == record ? Placed<void>{} : write_record(record);
}

Placed<std::vector<std::string>> Partial::commit() {
  auto notes = keep_metadata(file_.ref(), originals_);
  if (!notes) return notes;
  const auto written = late_write_errors(file_.ref());
  if (!written) return std::unexpected(obstacle(written.error(), "write"));
  auto placed = put_in_place();
  if (!placed) return std::unexpected(std::move(placed.error()));
  // What is left of it says something of a file that is not there: harmless.
  [[maybe_unused]] const auto gone = sys::unlinkat(destination_.directory.ref(), names_.record, 0);
  return notes;
}

Placed<void> Partial::put_in_place() {
  const DescriptorRef directory = destination_.directory.ref();
  const auto occupant = occupant_of(directory, destination_.name);
  if (!occupant) return std::unexpected(obstacle_in_directory(destination_, occupant.error()));
  if (occupant->exists && !S_ISREG(occupant->status.st_mode)) {
    return std::unexpected(Obstacle{
        destination_changed, {}, "'" + destination_.path + "' is no regular file any more"});
  }
  if (occupant->exists) {
    auto refused = refuse_replacing(destination_, occupant->status);
    if (refused) return std::unexpected(std::move(*refused));
  }
  const auto placed = may_replace_
                          ? sys::renameat(directory, names_.content, directory, destination_.name)
                          : take_free_name();
  if (placed) return {};
  if (is(placed.error(), std::errc::file_exists)) {
    return std::unexpected(exists_already(destination_));
  }
  return std::unexpected(obstacle_in_directory(destination_, placed.error()));
}

/// A link, unlike a rename, replaces nothing, whoever made a file there in this moment.
Result<void> Partial::take_free_name() const {
  const DescriptorRef directory = destination_.directory.ref();
  auto linked = sys::linkat(directory, names_.content, directory, destination_.name, 0);
  if (linked) return sys::unlinkat(directory, names_.content, 0);
  return linked;
}

Bytes Partial::leave() {
  if (!file_.valid()) return 0;
  const auto status = sys::fstat(file_.ref());
  if (!status || status->st_size > 0) return status ? static_cast<Bytes>(status->st_size) : have_;
  for (const std::string& name : {names_.content, names_.record}) {
    // An empty part is no loss, and not worth a complaint where it stays.
    [[maybe_unused]] const auto gone = sys::unlinkat(destination_.directory.ref(), name, 0);
  }
  return 0;
}

}  // namespace headrace::http::client
