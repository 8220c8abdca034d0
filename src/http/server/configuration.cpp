#include "http/server/configuration.hpp"

#include <algorithm>

namespace headrace::http::server {

std::chrono::milliseconds head_timeout_of(const Configuration& configuration) {
  constexpr std::chrono::milliseconds longest{30'000};
  return configuration.head_timeout.value_or(std::min(2 * configuration.idle_timeout, longest));
}

}  // namespace headrace::http::server
