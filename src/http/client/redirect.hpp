#pragma once

#include <string_view>

#include "headrace/result.hpp"
#include "http/message/head.hpp"
#include "http/message/url.hpp"

namespace headrace::http::client {

/// What an answer asks for.
struct Redirect {
  enum class Kind {
    none,    ///< it is the answer
    again,   ///< the same method again, with its body
    by_get,  ///< GET, without a body
  };
  Kind kind = Kind::none;
  Url url;  ///< where to, unless `none`
};

/// What follows from an answer to `method` (GET, PUT) at `from` (RFC 9110 15.4): 303 is followed by
/// GET, 301, 302, 307 and 308 by the same method (that of a POST alone may change). Pure.
/// Errors: Fault::location_missing, location_malformed, location_insecure.
Result<Redirect> redirect_of(const Url& from, const ResponseHead& answer, std::string_view method);

}  // namespace headrace::http::client
