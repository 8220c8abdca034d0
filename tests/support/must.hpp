#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string_view>

namespace headrace::testing {

/// Ends the test program with a line on standard error.
[[noreturn]] inline void give_up(std::string_view what, std::string_view why) {
  std::cerr << "test support: " << what << ": " << why << std::endl;
  std::abort();
}

/// The result of a call that has to work for the test to mean anything; else the test program ends
/// with the name of the call and its errno.
template <class T>
T must(T result, std::string_view call) {
  if (result >= 0) return result;
  give_up(call, std::strerror(errno));  // NOLINT(concurrency-mt-unsafe): nothing follows
}

}  // namespace headrace::testing
