#pragma once

#include <string>
#include <string_view>

#include "http/client/connection.hpp"
#include "http/message/framing.hpp"
#include "http/message/head.hpp"

namespace headrace::http::client {

/// The next head that is no interim one, however many of those come before it (to a bound).
/// Errors: those of receive_head(); Fault::unexpected_answer, Fault::too_many_interim.
Result<ResponseHead> receive_final_head(Connection& connection);

/// What is told of an answer's body; no answer that an upload gets needs more.
inline constexpr Bytes most_text = 4 * kibibyte;
/// A longer body costs more than a new connection does.
inline constexpr Bytes most_drained = 64 * kibibyte;

/// The rest of an answer whose body nobody wants.
struct Leftover {
  std::string text;    ///< of a short body that is text (no page of HTML): control characters are
                       ///< spaces now, and it has none at its ends
  bool clean = false;  ///< read to the end: another exchange may follow on the connection
};

/// Reads what is left of the answer with this head, up to `most_drained`. No failure: what cannot
/// be read is left, and the connection is not clean then.
Leftover drain(Connection& connection, const ResponseHead& head, std::string_view request_method);

/// The text of a body for people, as `Leftover` has it; empty where it is none. Pure.
std::string text_of_body(const ResponseHead& head, std::string_view body);

}  // namespace headrace::http::client
