#include "support/seen_descriptor.hpp"

#include <unistd.h>

#include <array>
#include <climits>

namespace headrace::testing {
namespace {

bool is_of_kind(const std::string& seen, On kind) {
  switch (kind) {
    case On::file:
      return seen.starts_with('/');
    case On::socket:
      return seen.starts_with("socket:");
    case On::pipe:
      return seen.starts_with("pipe:");
    case On::anything:
      break;
  }
  return true;
}

}  // namespace

std::string seen_descriptor(pid_t process, int descriptor) {
  const auto link = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
  std::array<char, PATH_MAX> text{};
  const auto length = ::readlink(link.c_str(), text.data(), text.size());
  return length < 0 ? "" : std::string(text.data(), static_cast<std::size_t>(length));
}

bool is_meant(const std::string& seen, On kind, const std::string& path) {
  if (seen.empty() || !is_of_kind(seen, kind)) return false;
  return path.empty() || seen == path || seen.starts_with(path + "/");
}

}  // namespace headrace::testing
