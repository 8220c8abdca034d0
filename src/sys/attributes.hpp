#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "headrace/descriptor.hpp"

// Extended attributes. An empty buffer asks for the size alone.
namespace headrace::sys {

/// The names, each with its 0 behind it.
Result<std::size_t> flistxattr(DescriptorRef file, std::span<char> names);
Result<std::size_t> fgetxattr(DescriptorRef file, const std::string& name,
                              std::span<std::byte> value);
/// By path, the last link not followed: for files that cannot be opened.
Result<std::size_t> lgetxattr(const std::string& path, const std::string& name,
                              std::span<std::byte> value);
Result<void> fsetxattr(DescriptorRef file, const std::string& name,
                       std::span<const std::byte> value, int flags);
Result<void> fremovexattr(DescriptorRef file, const std::string& name);

}  // namespace headrace::sys
