#include "sys/attributes.hpp"

#include <sys/xattr.h>

#include <cerrno>

namespace headrace::sys {
namespace {

Result<std::size_t> counted(std::string_view call, ssize_t answer) {
  if (answer < 0) return fail(call, errno);
  return static_cast<std::size_t>(answer);
}

}  // namespace

Result<std::size_t> flistxattr(DescriptorRef file, std::span<char> names) {
  return counted("flistxattr", ::flistxattr(file.number(), names.data(), names.size()));
}

Result<std::size_t> fgetxattr(DescriptorRef file, const std::string& name,
                              std::span<std::byte> value) {
  return counted("fgetxattr", ::fgetxattr(file.number(), name.c_str(), value.data(), value.size()));
}

Result<std::size_t> lgetxattr(const std::string& path, const std::string& name,
                              std::span<std::byte> value) {
  return counted("lgetxattr", ::lgetxattr(path.c_str(), name.c_str(), value.data(), value.size()));
}

Result<void> fsetxattr(DescriptorRef file, const std::string& name,
                       std::span<const std::byte> value, int flags) {
  if (::fsetxattr(file.number(), name.c_str(), value.data(), value.size(), flags) != 0) {
    return fail("fsetxattr", errno);
  }
  return {};
}

Result<void> fremovexattr(DescriptorRef file, const std::string& name) {
  if (::fremovexattr(file.number(), name.c_str()) != 0) return fail("fremovexattr", errno);
  return {};
}

}  // namespace headrace::sys
