#include "http/client/fault.hpp"

#include <string>

namespace headrace::http::client {
namespace {

class Category final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "http-client"; }
  [[nodiscard]] std::string message(int value) const override {
    switch (static_cast<Fault>(value)) {
      case Fault::scheme_not_offered:
        return "https is not offered by this build: only http is";
      case Fault::closed_before_answer:
        return "the server closed the connection without an answer";
      case Fault::closed_in_answer:
        return "the server closed the connection within its answer";
      case Fault::unexpected_answer:
        return "the server changed to another protocol, which nobody asked for";
      case Fault::too_many_interim:
        return "the server sends interim answers without end";
      case Fault::location_missing:
        return "the server redirects and does not say where to";
      case Fault::location_malformed:
        return "the server redirects to what is no http URL";
      case Fault::location_insecure:
        return "the server redirects from https to http, which is not followed";
      case Fault::too_many_redirects:
        return "the server redirects too often";
      case Fault::cannot_send_again:
        return "the body would have to be sent again, and its source cannot be read again: send a "
               "file";
      case Fault::length_unknown:
        return "one of several pieces has no known length, so the whole has none";
      case Fault::answered_early:
        return "the server answered before it had everything";
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

}  // namespace headrace::http::client
