#include "transfer/replaceable.hpp"

#include <linux/capability.h>
#include <unistd.h>

#include "sys/files.hpp"

namespace headrace {
namespace {

bool is(const Error& error, std::errc condition) { return error.code == condition; }

std::string sentence(const Destination& destination, std::string_view rest) {
  return "'" + destination.path + "' " + std::string(rest);
}

Obstacle in_place_instead(const Destination& destination, Reason reason, std::string_view why,
                          std::optional<Error> error = {}) {
  return {reason, error,
          sentence(destination, why) + "; copy --in-place writes into the file itself"};
}

/// Write permission on the file itself: a rename needs none, but a user who took it away means it.
std::optional<Obstacle> refuse_write_protected(const Destination& destination) {
  const auto access =
      sys::faccessat(destination.directory.ref(), destination.name, W_OK, AT_EACCESS);
  if (access) return std::nullopt;
  if (is(access.error(), std::errc::permission_denied)) {
    return Obstacle{destination_not_writable, access.error(),
                    sentence(destination, "is write-protected")};
  }
  if (is(access.error(), std::errc::read_only_file_system)) {
    return Obstacle{destination_not_writable, access.error(),
                    sentence(destination, "lies on a read-only file system")};
  }
  return std::nullopt;  // old sandboxes deny the call itself; the kernel has the last word anyway
}

std::optional<Obstacle> refuse_attributes(const Destination& destination) {
  const auto status =
      sys::statx(destination.directory.ref(), destination.name, AT_SYMLINK_NOFOLLOW, STATX_TYPE);
  if (!status) return std::nullopt;  // the rename will tell
  const auto has = [&](std::uint64_t attribute) {
    return (status->stx_attributes & attribute) != 0;
  };
  if (has(STATX_ATTR_IMMUTABLE)) {
    return Obstacle{
        destination_is_immutable, {}, sentence(destination, "is immutable (chattr +i)")};
  }
  if (has(STATX_ATTR_APPEND)) {
    return Obstacle{
        destination_is_immutable, {}, sentence(destination, "can only be appended to (chattr +a)")};
  }
  if (has(STATX_ATTR_MOUNT_ROOT)) {
    return in_place_instead(destination, destination_is_mount_point, "is a mount point");
  }
  return std::nullopt;
}

bool owns_all_files() {
  const auto capabilities = sys::capget();
  return capabilities && (*capabilities & (std::uint64_t{1} << CAP_FOWNER)) != 0;
}

std::optional<Obstacle> refuse_sticky(const Destination& destination, const struct stat& status) {
  const auto directory = sys::fstat(destination.directory.ref());
  if (!directory || (directory->st_mode & S_ISVTX) == 0) return std::nullopt;
  const uid_t user = ::geteuid();
  if (user == status.st_uid || user == directory->st_uid || owns_all_files()) return std::nullopt;
  return in_place_instead(destination, directory_is_sticky,
                          "belongs to another user, in a directory with the sticky bit");
}

}  // namespace

std::optional<Obstacle> refuse_replacing(const Destination& destination,
                                         const struct stat& status) {
  if (auto obstacle = refuse_attributes(destination)) return obstacle;
  if (auto obstacle = refuse_write_protected(destination)) return obstacle;
  if (status.st_nlink > 1) {
    return in_place_instead(destination, destination_has_other_links, "has other hard links");
  }
  return refuse_sticky(destination, status);
}

Obstacle obstacle_in_directory(const Destination& destination, const Error& error) {
  if (is(error, std::errc::device_or_resource_busy)) {
    return in_place_instead(destination, destination_is_mount_point, "is a mount point", error);
  }
  const bool denied = is(error, std::errc::permission_denied) ||
                      is(error, std::errc::operation_not_permitted) ||
                      is(error, std::errc::read_only_file_system);
  if (denied && destination.kind == DestinationKind::regular) {
    return in_place_instead(destination, directory_not_writable,
                            "lies in a directory where no file can be made", error);
  }
  if (denied) {
    return {directory_not_writable, error,
            sentence(destination, "would lie in a directory where no file can be made")};
  }
  return {destination_failed, error,
          "cannot put a new file in place as '" + destination.path + "'"};
}

}  // namespace headrace
