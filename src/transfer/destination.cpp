#include "transfer/destination.hpp"

#include <unistd.h>

#include <charconv>

#include "probe/file_system.hpp"
#include "sys/files.hpp"

namespace headrace {
namespace {

// As many as the kernel follows itself (path_resolution(7)).
constexpr int most_links = 40;

bool is(const Error& error, std::errc condition) { return error.code == condition; }

std::unexpected<Obstacle> failed(const Error& error, std::string detail) {
  return std::unexpected(Obstacle{destination_failed, error, std::move(detail)});
}

std::unexpected<Obstacle> failed_open(int number, std::string detail) {
  return failed(fail("open", number).error(), std::move(detail));
}

std::string quoted(const std::string& path) { return "'" + path + "'"; }

/// A path cut before its last component.
struct Cut {
  std::string directory;  // as openat wants it: "." or "/" where nothing else is left
  std::string name;       // "." for "/"
  bool slash = false;     // slashes followed the name: only a directory will do
};

Cut cut(const std::string& path) {
  const auto last = path.find_last_not_of('/');
  if (last == std::string::npos) return {.directory = "/", .name = ".", .slash = true};
  const auto before = path.find_last_of('/', last);
  if (before == std::string::npos) {
    return {.directory = ".", .name = path.substr(0, last + 1), .slash = last + 1 < path.size()};
  }
  return {.directory = path.substr(0, before + 1),
          .name = path.substr(before + 1, last - before),
          .slash = last + 1 < path.size()};
}

Placed<Descriptor> enter(DescriptorRef base, const Cut& parts, const std::string& path) {
  auto opened = sys::openat(base, parts.directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (opened) return std::move(*opened);
  const std::string where = quoted(parts.directory);
  if (is(opened.error(), std::errc::no_such_file_or_directory)) {
    return failed(opened.error(), "the directory " + where + " does not exist");
  }
  if (is(opened.error(), std::errc::not_a_directory)) {
    return failed(opened.error(), where + " is not a directory");
  }
  return failed(opened.error(), "cannot reach the directory of " + quoted(path));
}

bool same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// The descriptor a link in /proc/self/fd stands for.
DescriptorRef own_descriptor(DescriptorRef directory, const std::string& name) {
  const auto ours = sys::fstatat(sys::working_directory, "/proc/self/fd", 0);
  const auto here = sys::fstat(directory);
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc{} && end == name.data() + name.size();
  return ours && here && same(*ours, *here) && is_number ? DescriptorRef{number} : DescriptorRef{};
}

/// A link of /proc leads where no path needs to lead: what is behind it can only be written
/// through.
Placed<Destination> behind_magic_link(Destination found) {
  const auto status = sys::fstatat(found.directory.ref(), found.name, 0);
  if (!status) return failed(status.error(), "cannot follow " + quoted(found.path));
  found.kind = DestinationKind::written_through;
  found.status = *status;
  found.own = own_descriptor(found.directory.ref(), found.name);
  return found;
}

/// Lets the kernel follow the link once, so that its own rules hold (protected_symlinks, loops).
std::optional<Obstacle> refuse_link(const Destination& found) {
  const auto followed = sys::openat(found.directory.ref(), found.name, O_PATH | O_CLOEXEC);
  if (followed || is(followed.error(), std::errc::no_such_file_or_directory)) return {};
  if (is(followed.error(), std::errc::too_many_symbolic_link_levels)) {
    return failed(followed.error(), quoted(found.path) + " is a loop of symbolic links").error();
  }
  return failed(followed.error(), "cannot follow the symbolic link " + quoted(found.path)).error();
}

/// One step: opens the directory of `rest` and looks at its last component.
Placed<Destination> look(DescriptorRef base, const std::string& rest, const std::string& path) {
  const Cut parts = cut(rest);
  auto directory = enter(base, parts, path);
  if (!directory) return std::unexpected(std::move(directory.error()));
  const auto occupant = occupant_of(directory->ref(), parts.name);
  if (!occupant) return failed(occupant.error(), "cannot look at " + quoted(path));
  const mode_t type = occupant->status.st_mode & S_IFMT;
  if (parts.slash && type != S_IFDIR && type != S_IFLNK) {
    return failed_open(ENOTDIR, quoted(path) + " ends in a slash and is not a directory");
  }
  return Destination{.kind = occupant->exists ? DestinationKind::regular : DestinationKind::absent,
                     .directory = std::move(*directory),
                     .name = parts.name,
                     .path = path,
                     .status = occupant->status,
                     .own = {}};
}

Placed<Destination> follow(const std::string& path) {
  Destination found;
  std::string rest = path;
  for (int links = 0; links <= most_links; ++links) {
    const DescriptorRef base =
        found.directory.valid() ? found.directory.ref() : sys::working_directory;
    auto step = look(base, rest, path);
    if (!step) return step;
    found = std::move(*step);
    if (!S_ISLNK(found.status.st_mode)) return found;
    if (file_system_holding(found.directory.ref()).name == "proc") {
      return behind_magic_link(std::move(found));
    }
    if (auto obstacle = refuse_link(found)) return std::unexpected(std::move(*obstacle));
    auto target = sys::readlinkat(found.directory.ref(), found.name);
    if (!target) return failed(target.error(), "cannot follow " + quoted(path));
    // A slash behind a link's name asks for a directory just as one behind its target does.
    rest = *target + (cut(rest).slash ? "/" : "");
  }
  return failed_open(ELOOP, quoted(path) + " is a loop of symbolic links");
}

Obstacle directory_in_the_way(const std::string& path, std::string_view name_inside) {
  std::string inside = path;
  if (!inside.ends_with('/')) inside += '/';
  inside += name_inside.empty() ? std::string_view{"NAME"} : name_inside;
  return {destination_is_directory,
          {},
          quoted(path) + " is a directory; to put the file into it, name it: " + quoted(inside)};
}

}  // namespace

std::string describe(const Obstacle& obstacle) {
  if (!obstacle.error) return obstacle.detail;
  return obstacle.detail + ": " + std::string(obstacle.error->call) + ": " +
         obstacle.error->code.message();
}

Result<Occupant> occupant_of(DescriptorRef directory, const std::string& name) {
  const auto status = sys::fstatat(directory, name, AT_SYMLINK_NOFOLLOW);
  if (status) return Occupant{.exists = true, .status = *status};
  if (is(status.error(), std::errc::no_such_file_or_directory)) return Occupant{};
  return std::unexpected(status.error());
}

Placed<Destination> find_destination(const std::string& path, std::string_view name_inside) {
  if (path.empty()) {
    return failed_open(ENOENT, "the destination's name is empty");
  }
  auto found = follow(path);
  if (!found || found->kind == DestinationKind::absent) return found;
  const mode_t type = found->status.st_mode & S_IFMT;
  if (type == S_IFDIR) return std::unexpected(directory_in_the_way(path, name_inside));
  if (type == S_IFSOCK && !found->own.valid()) {
    return std::unexpected(
        Obstacle{destination_is_socket,
                 {},
                 quoted(path) + " is a socket; to send to it: headrace send FILE unix:" + path});
  }
  if (type != S_IFREG || file_system_holding(found->directory.ref()).pseudo) {
    found->kind = DestinationKind::written_through;
  }
  return found;
}

std::optional<Obstacle> refuse_same_file(const Destination& destination,
                                         const struct stat& source) {
  if (destination.kind == DestinationKind::absent) return std::nullopt;
  const bool both_blocks = S_ISBLK(destination.status.st_mode) && S_ISBLK(source.st_mode);
  const bool equal = both_blocks ? destination.status.st_rdev == source.st_rdev
                                 : same(destination.status, source) && !S_ISCHR(source.st_mode);
  if (!equal) return std::nullopt;
  return Obstacle{same_file, {}, quoted(destination.path) + " is the source itself"};
}

}  // namespace headrace
