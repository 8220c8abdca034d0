#pragma once

#include <optional>
#include <string>
#include <system_error>
#include <type_traits>

#include "headrace/bytes.hpp"
#include "http/message/date.hpp"
#include "http/message/framing.hpp"
#include "http/message/head.hpp"

// What an answer means for content of which a part may be here already. Pure.
namespace headrace::http::client {

/// The part that is here, and how a request asks for the rest.
struct Continuation {
  Bytes have = 0;         ///< bytes that are here, from the first on; more than 0
  Bytes from = 0;         ///< where the range asked for begins: at `have`, or before it, so that
                          ///< what comes twice can be compared
  std::string validator;  ///< strong: sent as If-Range. Empty: only the comparison tells
  std::optional<Bytes> total;  ///< of the whole, as it was said when the part came
};

/// What a request goes on with that has no validator: so much is fetched again and compared.
inline constexpr Bytes most_compared = 64 * kibibyte;

/// Why the content of an answer is not taken, although the exchange went well.
enum class ContentFault {
  longer_here = 1,    ///< than what the server has
  encoded,            ///< so it does not continue what is here
  unexpected_status,  ///< no answer to what was asked
  no_name,            ///< neither URL nor server say what the file is called
};
const std::error_category& content_category();
std::error_code make_error_code(ContentFault fault);

/// What asks for the rest: Range, and If-Range where there is a validator.
Fields range_fields(const Continuation& continuation);

/// What a later request can continue this answer by: its entity tag, where that is strong; else its
/// Last-Modified, where that is at least a minute older than its Date (RFC 9110 8.8.2.2: younger,
/// it may stand for two versions). Empty: it has neither. `now` as in parse_date().
std::string strong_validator(const Fields& fields, Time now);

enum class Use {
  whole,       ///< take it, from the first byte on
  rest,        ///< take it: it begins at `Continuation::from` and has all that is missing
  complete,    ///< what is here is everything
  start_over,  ///< it does not continue what is here: ask again, for the whole
  longer,      ///< more is here than the server has: leave both alone
  encoded,     ///< an encoding that nobody asked for: it continues nothing
  error,       ///< 400 and more
  unexpected,  ///< no answer to what was asked
};

struct Verdict {
  Use use = Use::unexpected;
  std::optional<Bytes> total;   ///< length of the whole, where the answer tells it
  std::optional<Bytes> length;  ///< of the content that follows, where the answer tells it
  std::string why;              ///< a clause for people; may be empty
};

/// `continuation` is what was asked for; absent: everything was. A redirect that is followed does
/// not come here.
Verdict judge(const ResponseHead& head, const BodyFraming& framing,
              const std::optional<Continuation>& continuation);

/// The codings of the content that are worth telling; empty: it comes as it is.
std::string content_coding(const Fields& fields);

}  // namespace headrace::http::client

template <>
struct std::is_error_code_enum<headrace::http::client::ContentFault> : std::true_type {};
