#include "sys/directory.hpp"

#include <dirent.h>

#include <cerrno>
#include <cstring>

namespace headrace::sys {

Result<std::size_t> getdents64(DescriptorRef directory, std::span<std::byte> buffer) {
  const ssize_t filled = ::getdents64(directory.number(), buffer.data(), buffer.size());
  if (filled < 0) return fail("getdents64", errno);
  return static_cast<std::size_t>(filled);
}

std::optional<DirectoryEntry> take_entry(std::span<const std::byte>& entries) {
  if (entries.empty()) return std::nullopt;
  const auto* entry = reinterpret_cast<const dirent64*>(entries.data());
  const DirectoryEntry taken{.name = static_cast<const char*>(entry->d_name),
                             .type = entry->d_type};
  entries = entries.subspan(entry->d_reclen);
  return taken;
}

}  // namespace headrace::sys
