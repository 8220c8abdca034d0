#include "transfer/extended_attributes.hpp"

#include <linux/limits.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "sys/attributes.hpp"

namespace headrace {
namespace {

bool is_carried_over(std::string_view name) {
  return !name.starts_with("system.") && name != "security.evm";
}

Result<std::vector<std::string>> names_of(DescriptorRef file) {
  std::string all;
  Result<std::size_t> size = sys::flistxattr(file, {});
  if (size && *size > 0) {
    all.resize(XATTR_LIST_MAX);
    size = sys::flistxattr(file, all);
  }
  std::vector<std::string> names;
  if (!size && size.error().code == std::errc::operation_not_supported) return names;
  if (!size) return std::unexpected(size.error());
  for (std::string_view rest = std::string_view(all).substr(0, *size); !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    if (is_carried_over(name)) names.emplace_back(name);
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
  }
  return names;
}

Result<void> copy_attribute(DescriptorRef source, DescriptorRef file, const std::string& name) {
  std::vector<std::byte> value(XATTR_SIZE_MAX);
  const auto size = sys::fgetxattr(source, name, value);
  if (!size) return std::unexpected(size.error());
  value.resize(*size);
  const auto set = sys::fsetxattr(file, name, value, 0);
  if (set) return set;
  // A label that the file was born with may be right already, and not ours to set.
  std::vector<std::byte> there(XATTR_SIZE_MAX);
  const auto found = sys::fgetxattr(file, name, there);
  const bool same = found && std::ranges::equal(std::span(there).first(*found), value);
  return same ? Result<void>{} : set;
}

}  // namespace

Result<std::vector<LostAttribute>> copy_attributes(DescriptorRef source, DescriptorRef file) {
  const auto names = names_of(source);
  if (!names) return std::unexpected(names.error());
  std::vector<LostAttribute> lost;
  for (const std::string& name : *names) {
    const auto copied = copy_attribute(source, file, name);
    if (!copied) lost.push_back({name, !name.starts_with("user."), copied.error()});
  }
  return lost;
}

}  // namespace headrace
