#include "checked/fault.hpp"

#include <string>

namespace headrace::checked {
namespace {

class Category final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "checked"; }
  [[nodiscard]] std::string message(int value) const override {
    switch (static_cast<Fault>(value)) {
      case Fault::not_checked:
        return "the peer does not speak --checked: give it to both sides";
      case Fault::other_version:
        return "the peer speaks another version of --checked";
      case Fault::damaged:
        return "it was damaged on the way";
      case Fault::ended_early:
        return "the peer ended before everything had come";
      case Fault::bytes_after:
        return "the peer sent more than it should";
      case Fault::receiver_failed:
        return "the receiver could not take it";
    }
    return "unknown fault";
  }
};

}  // namespace

const std::error_category& category() {
  static const Category only;
  return only;
}

std::error_code make_error_code(Fault fault) { return {static_cast<int>(fault), category()}; }

}  // namespace headrace::checked
