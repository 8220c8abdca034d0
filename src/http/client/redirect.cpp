#include "http/client/redirect.hpp"

#include <optional>

#include "http/client/fault.hpp"
#include "http/message/field.hpp"

namespace headrace::http::client {
namespace {

Redirect::Kind kind_of(int status, std::string_view method) {
  switch (status) {
    case 301:
    case 302:
    case 307:
    case 308:
      return Redirect::Kind::again;
    case 303:
      return method == "GET" ? Redirect::Kind::again : Redirect::Kind::by_get;
    default:  // 300 offers a choice, 304 answers a condition, 305 and 306 are no more
      return Redirect::Kind::none;
  }
}

}  // namespace

Result<Redirect> redirect_of(const Url& from, const ResponseHead& answer, std::string_view method) {
  const auto refuse = [](Fault fault) { return std::unexpected(Error{fault, "redirect"}); };
  const Redirect::Kind kind = kind_of(answer.status, method);
  if (kind == Redirect::Kind::none) return Redirect{};
  const auto location = find(answer.fields, "Location");
  if (!location) return refuse(Fault::location_missing);
  auto url = resolve(from, *location);
  if (!url) return refuse(Fault::location_malformed);
  if (from.scheme == "https" && url->scheme != "https") return refuse(Fault::location_insecure);
  return Redirect{.kind = kind, .url = std::move(*url)};
}

}  // namespace headrace::http::client
