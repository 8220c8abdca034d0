#pragma once

#include <expected>
#include <string_view>
#include <system_error>

namespace headrace {

/// What went wrong, and in which call.
///
/// `call` is always a string literal ("sendfile"), so an `Error` is cheap to copy and owns nothing.
/// What headrace itself finds while it waits bears the waiting call: "poll" with ETIMEDOUT is a
/// time-out of ours, with EPIPE a destination whose reader has gone.
struct Error {
  std::error_code code;   ///< what the kernel or the library answered
  std::string_view call;  ///< who answered
};

/// A value or an `Error`; `[[nodiscard]]`, so that no failure is dropped by accident.
///
/// headrace throws nothing of its own: only the standard library's std::bad_alloc may pass through.
template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
};

/// An `Error` of the system category. `number` is an errno value; `call` must be a literal.
inline std::unexpected<Error> fail(std::string_view call, int number) {
  return std::unexpected(Error{{number, std::system_category()}, call});
}

}  // namespace headrace
