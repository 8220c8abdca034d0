#include "http/server/upload_place.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "sys/files.hpp"

namespace headrace::http::server {
namespace {

// As many as the kernel follows itself (path_resolution(7)).
constexpr int most_links = 40;

std::string describe(const Error& error) {
  return std::string(error.call) + ": " + error.code.message();
}

std::unexpected<Rejection> reject(int status, std::string detail) {
  return std::unexpected(Rejection{status, std::move(detail)});
}

/// A directory that is not there is the client's conflict: it has to be made first (RFC 4918 9.7.1
/// says so of PUT, and others do the same).
std::unexpected<Rejection> no_directory(const Error& error) {
  const int number = error.code.value();
  if (number == ENOENT || number == ENOTDIR) {
    return reject(409, "the directory does not exist: " + describe(error));
  }
  if (number == EXDEV || number == ELOOP) {
    return reject(403, "a symbolic link leads where it must not: " + describe(error));
  }
  return reject(status_of(error), "the directory cannot be reached: " + describe(error));
}

/// What a symbolic link at the end of `path` stands for, as a path that Site::open takes.
std::string behind_link(const std::string& path, const std::string& target) {
  if (target.starts_with('/')) return "/" + target;
  return path.substr(0, path.rfind('/') + 1) + target;
}

/// One step: the directory of `path`, and what has its last name.
Taken<Destination> look(const Site& site, const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string name = path.substr(slash + 1);
  if (name.empty() || name == "." || name == "..") return reject(409, "it is a directory");
  auto directory =
      site.open(slash == 0 ? "/" : path.substr(0, slash), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (!directory) return no_directory(directory.error());
  const auto occupant = occupant_of(directory->ref(), name);
  if (!occupant) return reject(status_of(occupant.error()), describe(occupant.error()));
  return Destination{.kind = occupant->exists ? DestinationKind::regular : DestinationKind::absent,
                     .directory = std::move(*directory),
                     .name = name,
                     .path = path,
                     .status = occupant->status,
                     .own = {}};
}

/// The rules for links hold for the last one too, which is not opened with its directory.
std::optional<Rejection> refuse_link(const Site& site, const std::string& path) {
  const auto followed = site.open(path, O_PATH | O_CLOEXEC);
  const int number = followed ? 0 : followed.error().code.value();
  if (number == 0 || number == ENOENT) return std::nullopt;
  return no_directory(followed.error()).error();
}

}  // namespace

Taken<Destination> find_upload_place(const Site& site, const std::string& path) {
  std::string rest = path;
  for (int links = 0; links <= most_links; ++links) {
    auto found = look(site, rest);
    if (!found) return found;
    const mode_t type = found->status.st_mode & S_IFMT;
    if (found->kind == DestinationKind::absent || type == S_IFREG) return found;
    if (type == S_IFDIR) return reject(409, "it is a directory");
    if (type != S_IFLNK) return reject(403, "it is no regular file");
    if (auto refused = refuse_link(site, rest)) return std::unexpected(std::move(*refused));
    const auto target = sys::readlinkat(found->directory.ref(), found->name);
    if (!target) return reject(status_of(target.error()), describe(target.error()));
    rest = behind_link(rest, *target);
  }
  return reject(403, "a loop of symbolic links");
}

int status_of_write(const Error& error) {
  switch (error.code.value()) {
    case ENOSPC:
    case EDQUOT:
      return 507;
    case EFBIG:
      return 413;
    case EROFS:
      return 403;
    default:
      return status_of(error);
  }
}

Rejection rejection_of(const Obstacle& obstacle) {
  std::string detail = obstacle.detail;
  if (obstacle.error) detail += ": " + describe(*obstacle.error);
  constexpr std::array forbidden{destination_is_mount_point, destination_has_other_links,
                                 destination_is_immutable,   destination_not_writable,
                                 directory_not_writable,     directory_is_sticky};
  if (std::ranges::find(forbidden, obstacle.reason) != forbidden.end()) return {403, detail};
  if (obstacle.reason == destination_changed) return {409, detail};
  if (!obstacle.error) return {500, detail};
  // The directory was removed meanwhile.
  const bool gone = obstacle.error->code.value() == ENOENT;
  return {gone ? 409 : status_of_write(*obstacle.error), detail};
}

}  // namespace headrace::http::server
