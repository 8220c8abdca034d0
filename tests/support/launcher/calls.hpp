#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/deny.hpp"

namespace headrace::testing {

/// A call as the command line names it: as strace does, and requests of ioctl by their own name.
struct NamedCall {
  std::string_view name;
  int call = 0;
  std::optional<Match> match = {};
};

const std::vector<NamedCall>& known_calls();
const NamedCall* find_call(std::string_view name);

/// EIO -> 5; a number stands for itself; nothing where there is no such errno.
std::optional<int> errno_of(const std::string& name);

}  // namespace headrace::testing
