#include "transfer/leftovers.hpp"

#include <fcntl.h>

#include <algorithm>
#include <optional>

#include "sys/files.hpp"
#include "sys/lease.hpp"
#include "transfer/hidden_name.hpp"

namespace headrace {
namespace {

/// The regular file under `name`, where nobody holds its lock.
std::optional<Leftover> abandoned(DescriptorRef directory, const std::string& name) {
  const auto there = sys::fstatat(directory, name, AT_SYMLINK_NOFOLLOW);
  if (!there || !S_ISREG(there->st_mode)) return std::nullopt;
  const auto file =
      sys::openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!file) return std::nullopt;
  const auto status = sys::fstat(file->ref());
  if (!status) return std::nullopt;
  // Asked about, never taken: a look must not keep anybody from locking what is theirs.
  const auto held = sys::has_record_lock(file->ref());
  if (!held || *held) return std::nullopt;
  return Leftover{name, status->st_dev, status->st_ino};
}

/// The path may lead through links, so the directory itself is asked where it is.
std::string path_beside(const Destination& destination, const std::string& name) {
  const auto directory =
      sys::readlinkat(sys::working_directory,
                      "/proc/self/fd/" + std::to_string(destination.directory.ref().number()));
  return directory ? *directory + "/" + name : name;
}

}  // namespace

std::vector<Leftover> find_leftovers(const Destination& destination) {
  std::vector<Leftover> found;
  const DescriptorRef directory = destination.directory.ref();
  const std::size_t longest = longest_name(directory);
  for (int number = 0; number < first_names; ++number) {
    auto leftover = abandoned(directory, first_name(destination.name, longest, number));
    if (leftover) found.push_back(std::move(*leftover));
  }
  return found;
}

std::vector<std::string> still_left_behind(const Destination& destination,
                                           const std::vector<Leftover>& found) {
  std::vector<std::string> paths;
  for (const Leftover& before : found) {
    const auto now = abandoned(destination.directory.ref(), before.name);
    const bool same = now && now->device == before.device && now->inode == before.inode;
    if (same) paths.push_back(path_beside(destination, before.name));
  }
  return paths;
}

}  // namespace headrace
