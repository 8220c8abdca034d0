#include "sys/limits.hpp"

#include <cerrno>

namespace headrace::sys {

Result<rlimit> getrlimit(int resource) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return fail("getrlimit", errno);
  return limit;
}

Result<void> setrlimit(int resource, const rlimit& limit) {
  if (::setrlimit(resource, &limit) != 0) return fail("setrlimit", errno);
  return {};
}

}  // namespace headrace::sys
