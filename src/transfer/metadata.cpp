#include "transfer/metadata.hpp"

#include "sys/files.hpp"

namespace headrace {
namespace {

constexpr mode_t set_ids = S_ISUID | S_ISGID;
constexpr mode_t all_permissions = 07777;

/// Group permissions cut down to what others have: for a group they were not meant for.
constexpr mode_t without_group_privilege(mode_t mode) {
  return (mode & ~S_IRWXG) | (mode & S_IRWXG & ((mode & S_IRWXO) << 3));
}
static_assert(without_group_privilege(0660) == 0600);
static_assert(without_group_privilege(0664) == 0644);
static_assert(without_group_privilege(0604) == 0604);

std::string not_kept(std::string_view what, const Error& error) {
  return std::string(what) + " not kept: " + std::string(error.call) + ": " + error.code.message();
}

void keep_owner(DescriptorRef file, const struct stat& now, const struct stat& replaced,
                std::vector<std::string>& notes) {
  if (now.st_uid == replaced.st_uid && now.st_gid == replaced.st_gid) return;
  const auto both = sys::fchown(file, replaced.st_uid, replaced.st_gid);
  if (both) return;
  constexpr auto unchanged = static_cast<uid_t>(-1);
  const bool group_kept =
      now.st_gid == replaced.st_gid || sys::fchown(file, unchanged, replaced.st_gid).has_value();
  notes.push_back(not_kept(group_kept ? "owner" : "owner and group", both.error()));
}

/// What the set-ID bits of the source may become on a file owned as `now` says.
mode_t mode_from_source(const struct stat& source, const struct stat& now) {
  const mode_t mode = source.st_mode & all_permissions;
  if (now.st_uid != source.st_uid) return mode & ~set_ids;
  return now.st_gid != source.st_gid ? mode & ~static_cast<mode_t>(S_ISGID) : mode;
}

mode_t mode_from_replaced(const struct stat& replaced, const struct stat& now) {
  const mode_t mode = replaced.st_mode & all_permissions & ~set_ids;
  return now.st_gid == replaced.st_gid ? mode : without_group_privilege(mode);
}

/// Only a file's mode and times are worth keeping: those of a pipe or device say nothing of
/// content.
Originals worth_keeping(Originals originals) {
  if (originals.source && !S_ISREG(originals.source->st_mode)) originals.source.reset();
  return originals;
}

void keep_mode(DescriptorRef file, const Originals& originals, std::vector<std::string>& notes) {
  if (!originals.source && !originals.replaced) return;
  const auto now = sys::fstat(file);  // again: a change of owner may have changed mode and group
  if (!now) {
    notes.push_back(not_kept("mode", now.error()));
    return;
  }
  const mode_t mode = originals.source ? mode_from_source(*originals.source, *now)
                                       : mode_from_replaced(*originals.replaced, *now);
  if (mode == (now->st_mode & all_permissions)) return;
  if (const auto set = sys::fchmod(file, mode); !set) {
    notes.push_back(not_kept("mode", set.error()));
  }
}

}  // namespace

std::vector<std::string> keep_metadata(DescriptorRef file, const Originals& given) {
  const Originals originals = worth_keeping(given);
  std::vector<std::string> notes;
  if (originals.replaced) {
    const auto now = sys::fstat(file);
    if (now) keep_owner(file, *now, *originals.replaced, notes);
  }
  keep_mode(file, originals, notes);
  if (originals.source) {
    const auto set = sys::futimens(file, {originals.source->st_atim, originals.source->st_mtim});
    if (!set) notes.push_back(not_kept("times", set.error()));
  }
  return notes;
}

mode_t mode_at_creation(const Originals& given) {
  const Originals originals = worth_keeping(given);
  return originals.source || originals.replaced ? 0600 : 0666;
}

}  // namespace headrace
