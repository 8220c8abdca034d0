#include "transfer/access_list.hpp"

#include <fcntl.h>
#include <linux/limits.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <linux/xattr.h>
#include <sys/stat.h>

#include <cstddef>
#include <span>
#include <utility>

#include "sys/attributes.hpp"
#include "sys/files.hpp"

namespace headrace {
namespace {

const std::string attribute = XATTR_NAME_POSIX_ACL_ACCESS;

bool is(const Error& error, std::errc condition) { return error.code == condition; }

bool says_none(const Error& error) {
  return is(error, std::errc::no_message_available) ||  // ENODATA
         is(error, std::errc::operation_not_supported) ||
         is(error, std::errc::function_not_supported);
}

/// Calls `get(buffer)`: first without room, since most files have no list, then with room for the
/// largest there can be.
template <class Get>
Result<std::optional<AccessList>> list_by(Get get) {
  AccessList list;
  Result<std::size_t> size = get(std::span<std::byte>());
  if (size) {
    list.bytes.resize(XATTR_SIZE_MAX);
    size = get(std::span(list.bytes));
  }
  if (!size && says_none(size.error())) return std::optional<AccessList>{};
  if (!size) return std::unexpected(size.error());
  list.bytes.resize(*size);
  return std::optional{std::move(list)};
}

/// The list is little-endian on every machine.
unsigned number_at(std::span<const std::byte> bytes, std::size_t offset) {
  return std::to_integer<unsigned>(bytes[offset]) |
         (std::to_integer<unsigned>(bytes[offset + 1]) << 8U);
}

}  // namespace

Result<std::optional<AccessList>> access_list_of(DescriptorRef file) {
  return list_by([&](auto buffer) { return sys::fgetxattr(file, attribute, buffer); });
}

Result<std::optional<AccessList>> access_list_at(DescriptorRef directory, const std::string& name) {
  const std::string path = "/proc/self/fd/" + std::to_string(directory.number()) + "/" + name;
  auto list = list_by([&](auto buffer) { return sys::lgetxattr(path, attribute, buffer); });
  if (list || !is(list.error(), std::errc::no_such_file_or_directory)) return list;
  // No /proc: then only a file that may be read can be asked.
  const auto file =
      sys::openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!file) return std::unexpected(file.error());
  return access_list_of(file->ref());
}

Result<void> set_access_list(DescriptorRef file, const std::optional<AccessList>& list) {
  if (list) return sys::fsetxattr(file, attribute, list->bytes, 0);
  const auto removed = sys::fremovexattr(file, attribute);
  if (!removed && says_none(removed.error())) return {};
  return removed;
}

mode_t group_permissions(const AccessList& list) {
  using Entry = posix_acl_xattr_entry;
  mode_t group = 0;
  mode_t mask = S_IRWXO;
  for (std::size_t at = sizeof(posix_acl_xattr_header); at + sizeof(Entry) <= list.bytes.size();
       at += sizeof(Entry)) {
    const auto entry = std::span(list.bytes).subspan(at, sizeof(Entry));
    const unsigned tag = number_at(entry, offsetof(Entry, e_tag));
    if (tag == ACL_GROUP_OBJ) group = number_at(entry, offsetof(Entry, e_perm));
    if (tag == ACL_MASK) mask = number_at(entry, offsetof(Entry, e_perm));
  }
  return (group & mask & S_IRWXO) << 3U;
}

}  // namespace headrace
