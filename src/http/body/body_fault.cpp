#include "http/body/body_fault.hpp"

#include <string>

namespace headrace::http {
namespace {

class BodyCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "http-body"; }
  [[nodiscard]] std::string message(int fault) const override {
    switch (static_cast<BodyFault>(fault)) {
      case BodyFault::ended_early:
        return "the connection ended in the middle of the body";
      case BodyFault::too_large:
        return "the body is larger than what is taken";
    }
    return "unknown fault";
  }
};

}  // namespace

const std::error_category& body_category() {
  static const BodyCategory category;
  return category;
}

std::error_code make_error_code(BodyFault fault) {
  return {static_cast<int>(fault), body_category()};
}

}  // namespace headrace::http
