#include <fcntl.h>

#include <array>

#include "http/server/site.hpp"
#include "sys/directory.hpp"
#include "sys/files.hpp"

namespace headrace::http::server {
namespace {

constexpr std::size_t entries_buffer = 32 * kibibyte;  // as libc's readdir(3)

std::optional<Entry> entry_of(std::string_view name, const struct stat& status) {
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return std::nullopt;
  const bool file = S_ISREG(status.st_mode);
  return Entry{.name = std::string(name),
               .kind = file ? Entry::Kind::file : Entry::Kind::directory,
               .size = file ? static_cast<Bytes>(status.st_size) : 0,
               .modified = Time{std::chrono::seconds{status.st_mtim.tv_sec}}};
}

}  // namespace

// What is listed is what a request for it would get: a link that leads out is not there.
std::optional<Entry> Site::entry(DescriptorRef directory, const std::string& path,
                                 std::string_view name) const {
  if (name == "." || name == ".." || (!dotfiles_ && name.starts_with('.'))) return std::nullopt;
  auto status = sys::fstatat(directory, std::string(name), AT_SYMLINK_NOFOLLOW);
  if (status && S_ISLNK(status->st_mode)) {
    const auto target = open(path + std::string(name), O_PATH);
    if (!target) return std::nullopt;
    status = sys::fstat(target->ref());
  }
  return status ? entry_of(name, *status) : std::nullopt;
}

Result<Listing> Site::list(DescriptorRef directory, std::string path) const {
  Listing listing{.path = std::move(path), .entries = {}};
  alignas(std::uint64_t) std::array<std::byte, entries_buffer> buffer{};
  for (;;) {
    const auto got = sys::getdents64(directory, buffer);
    if (!got) return std::unexpected(got.error());
    if (*got == 0) return listing;
    std::span<const std::byte> entries = std::span(buffer).first(*got);
    while (const auto found = sys::take_entry(entries)) {
      auto made = entry(directory, listing.path, found->name);
      if (made) listing.entries.push_back(std::move(*made));
    }
  }
}

}  // namespace headrace::http::server
