#include "transfer/metadata.hpp"

#include "sys/files.hpp"
#include "transfer/extended_attributes.hpp"

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

using MaybeList = Result<std::optional<AccessList>>;

/// The mode of a file that had `list`, for one that has it not. Of a list that could not be read
/// nobody knows what it gave the group: the group's bits may be its mask.
mode_t mode_without(const MaybeList& list, mode_t mode) {
  if (list && !list->has_value()) return mode;
  const mode_t group = list ? group_permissions(**list) : 0;
  return mode & (~static_cast<mode_t>(S_IRWXG) | group);
}

std::string names_of_set_ids(mode_t mode) {
  if ((mode & set_ids) == set_ids) return "set-user-ID and set-group-ID";
  return (mode & S_ISUID) != 0 ? "set-user-ID" : "set-group-ID";
}

bool any_kept(const Preserve& preserve) { return preserve != preserve_nothing; }

/// Only a file's mode and times are worth keeping: those of a pipe or device say nothing of
/// content.
Originals worth_keeping(Originals originals) {
  if (!any_kept(originals.preserve)) originals.source.reset();
  if (originals.source && !S_ISREG(originals.source->st_mode)) originals.source.reset();
  if (!originals.source) originals.preserve = preserve_nothing;
  return originals;
}

/// The source says who may do what.
bool permissions_from_source(const Preserve& preserve) {
  return preserve.mode != Keep::no || preserve.access_list != Keep::no;
}

class Keeper {
 public:
  Keeper(DescriptorRef file, const Originals& originals)
      : file_(file), originals_(originals), preserve_(originals.preserve) {}

  // The order matters: a change of owner takes privileges away, also file capabilities, which are
  // attributes; a mode may close the file to its own attributes; a list sets the mode, and the mode
  // then cuts the list; and everything would move the times.
  Placed<std::vector<std::string>> run() {
    keep_owner();
    if (preserve_.attributes != Keep::no) keep_attributes();
    keep_access_list();
    keep_mode();
    if (preserve_.times != Keep::no) keep_times();
    if (failure_) return std::unexpected(std::move(*failure_));
    return std::move(notes_);
  }

 private:
  void lost(std::string_view what, const Error& error, Keep wish = Keep::if_possible) {
    lost({metadata_not_kept, error, std::string(what) + " not kept"}, wish);
  }

  void lost(Obstacle obstacle, Keep wish) {
    if (wish == Keep::required && !failure_) {
      failure_ = std::move(obstacle);
    } else {
      notes_.push_back(describe(obstacle));
    }
  }

  void keep_owner() {
    const bool of_source = preserve_.owner != Keep::no;
    const auto& wanted = of_source ? originals_.source : originals_.replaced;
    if (!wanted) return;
    const Keep wish = of_source ? preserve_.owner : Keep::if_possible;
    const auto now = sys::fstat(file_);
    if (!now) {
      lost("owner and group", now.error(), wish);
      return;
    }
    if (now->st_uid == wanted->st_uid && now->st_gid == wanted->st_gid) return;
    const auto both = sys::fchown(file_, wanted->st_uid, wanted->st_gid);
    if (both) return;
    constexpr auto unchanged = static_cast<uid_t>(-1);
    const bool group_kept =
        now->st_gid == wanted->st_gid || sys::fchown(file_, unchanged, wanted->st_gid).has_value();
    lost(group_kept ? "owner" : "owner and group", both.error(), wish);
  }

  void keep_attributes() {
    if (!originals_.source_file.valid()) return;
    const auto missing = copy_attributes(originals_.source_file, file_);
    if (!missing) {
      lost("extended attributes", missing.error(), preserve_.attributes);
      return;
    }
    for (const LostAttribute& attribute : *missing) {
      // Those of the system and of the administrator are kept where we may, whoever asks.
      lost("extended attribute " + attribute.name, attribute.error,
           attribute.privileged ? Keep::if_possible : preserve_.attributes);
    }
  }

  void keep_access_list() {
    if (originals_.source && originals_.source_file.valid() && permissions_from_source(preserve_)) {
      source_list_ = access_list_of(originals_.source_file);
      const bool list_named = preserve_.access_list != Keep::no;
      if (!source_list_) unknown(source_list_, list_named ? preserve_.access_list : preserve_.mode);
      if (!source_list_ && list_named) return;
    }
    if (preserve_.access_list != Keep::no) {
      list_set_ = give_list(*source_list_, preserve_.access_list);
    } else if (originals_.replaced) {
      keep_replaced_list();
    }
  }

  void keep_replaced_list() {
    const MaybeList& list = originals_.replaced_list;
    if (!list) {
      unknown(list, Keep::if_possible);
      give_list({}, Keep::if_possible);  // none inherited either: it may give more than the old one
    } else if (group_is_that_of_replaced()) {
      list_set_ = give_list(*list, Keep::if_possible);
    } else if (*list) {
      notes_.emplace_back("access list not kept: it was made for another group");
    }
  }

  void unknown(const MaybeList& list, Keep wish) {
    lost("access list and the group's permissions", list.error(), wish);
  }

  [[nodiscard]] bool group_is_that_of_replaced() const {
    const auto now = sys::fstat(file_);
    return now && now->st_gid == originals_.replaced->st_gid;
  }

  bool give_list(const std::optional<AccessList>& list, Keep wish) {
    const auto given = set_access_list(file_, list);
    if (!given) lost("access list", given.error(), wish);
    return given.has_value();
  }

  void keep_mode() {
    if (!permissions_from_source(preserve_) && !originals_.replaced) return;
    // The list of the source has set the permissions, and nothing else is wanted.
    if (preserve_.mode == Keep::no && list_set_ && *source_list_) return;
    const auto now = sys::fstat(file_);  // again: owner and list may have changed mode and group
    if (!now) {
      lost("mode", now.error(), preserve_.mode);
      return;
    }
    const mode_t mode = wanted_mode(*now);
    if (mode != (now->st_mode & all_permissions)) {
      if (const auto set = sys::fchmod(file_, mode); !set) {
        lost("mode", set.error(), preserve_.mode);
        return;
      }
    }
    if (preserve_.mode != Keep::no) look_for_set_ids();
  }

  // Left out because the owner is another, or by fchmod(2), which then says nothing.
  void look_for_set_ids() {
    const mode_t wanted = originals_.source->st_mode & set_ids;
    if (wanted == 0) return;
    const auto now = sys::fstat(file_);
    const mode_t missing = now ? wanted & ~now->st_mode : wanted;
    if (missing == 0) return;
    lost({metadata_not_kept,
          {},
          names_of_set_ids(missing) + " not kept: the file has another owner or group"},
         preserve_.mode);
  }

  [[nodiscard]] mode_t wanted_mode(const struct stat& now) const {
    if (permissions_from_source(preserve_)) {
      const bool list_given = preserve_.access_list != Keep::no && list_set_;
      const mode_t mode = mode_without(list_given ? MaybeList{} : source_list_,
                                       mode_from_source(*originals_.source, now));
      return preserve_.mode == Keep::no ? mode & ~set_ids : mode;
    }
    return mode_without(list_set_ ? MaybeList{} : originals_.replaced_list,
                        mode_from_replaced(*originals_.replaced, now));
  }

  void keep_times() {
    const struct stat& source = *originals_.source;
    const auto set = sys::futimens(file_, {source.st_atim, source.st_mtim});
    if (!set) lost("times", set.error(), preserve_.times);
  }

  DescriptorRef file_;
  const Originals& originals_;
  const Preserve& preserve_;
  MaybeList source_list_;
  bool list_set_ = false;  // the file has the list it was to have, be it none
  std::vector<std::string> notes_;
  std::optional<Obstacle> failure_;
};

}  // namespace

Placed<std::vector<std::string>> keep_metadata(DescriptorRef file, const Originals& given) {
  const Originals originals = worth_keeping(given);
  return Keeper{file, originals}.run();
}

mode_t mode_at_creation(const Originals& given) {
  const Originals originals = worth_keeping(given);
  const bool follows = permissions_from_source(originals.preserve) || originals.replaced;
  return follows ? 0600 : 0666;
}

}  // namespace headrace
