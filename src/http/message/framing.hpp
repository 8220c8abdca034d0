#pragma once

#include <optional>
#include <string_view>

#include "headrace/bytes.hpp"
#include "headrace/result.hpp"
#include "http/message/head.hpp"

namespace headrace::http {

/// Where the body behind a head ends.
struct BodyFraming {
  enum class Kind { none, length, chunked, until_close };
  Kind kind = Kind::none;
  Bytes length = 0;  ///< where `kind` says so
  friend bool operator==(const BodyFraming&, const BodyFraming&) = default;
};

/// One message, one length (RFC 9112 6.3): what two readers could read differently is refused in
/// both roles, and the connection must be closed. Errors: a HeadFault, by "framing_of".
Result<BodyFraming> framing_of(const RequestHead& head);
/// `request_method` is that of the request which is answered: HEAD and CONNECT change the meaning.
Result<BodyFraming> framing_of(const ResponseHead& head, std::string_view request_method);

/// Content-Length; absent where the field is. At most what a file can have, 2^63 - 1.
Result<std::optional<Bytes>> declared_length(const Fields& fields);

/// Whether another message may follow on this connection, as far as the head says. A response that
/// ends by closing (until_close) keeps nothing open, whatever this answers.
bool keeps_open(const RequestHead& head);
bool keeps_open(const ResponseHead& head);

}  // namespace headrace::http
