#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "headrace/report.hpp"

namespace headrace::http::server {

/// How the bytes of one answer (or upload) went, as a line of the log tells it.
struct LoggedPath {
  std::optional<PathClass> path_class;  ///< absent: no byte of a body was moved
  std::string legs;  ///< "splice:0:refused sendfile:65536": in order, the ending where not finished
  std::uint64_t waits = 0;
  std::optional<Evidence> evidence;  ///< by what the contract was kept
  std::string trouble;               ///< what failed, was refused or seen to change; empty: nothing
};

LoggedPath logged_path(const Report& report);

}  // namespace headrace::http::server
