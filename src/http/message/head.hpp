#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "headrace/bytes.hpp"
#include "headrace/result.hpp"
#include "http/message/field.hpp"
#include "http/message/head_fault.hpp"

// Heads of HTTP/1.1 (RFC 9112) as values. Pure: no descriptor, no clock.
namespace headrace::http {

struct RequestHead {
  std::string method;     ///< a token; its case counts
  std::string target;     ///< as it was sent; parse_target() reads it
  int minor_version = 1;  ///< 0 or 1: a later HTTP/1 is treated as HTTP/1.1 (RFC 9110 2.5)
  Fields fields;
  friend bool operator==(const RequestHead&, const RequestHead&) = default;
};

struct ResponseHead {
  int status = 0;  ///< 100 to 999
  std::string reason;
  int minor_version = 1;
  Fields fields;
  friend bool operator==(const ResponseHead&, const ResponseHead&) = default;
};

/// What a head may cost whoever reads it.
struct HeadLimits {
  Bytes most = 64 * kibibyte;  ///< bytes of the whole head; others take 8 to 64 KiB
  std::size_t most_fields = 256;
};

/// How many bytes at the start of `bytes` are one head, its empty line included; absent: more must
/// come. Up to two empty lines before the head belong to it (RFC 9112 2.2).
///
/// A byte that no head may contain ends it too, so that nobody waits for the rest: what is counted
/// then is refused by the parsers. `from` is where to go on looking: the size that `bytes` had when
/// the answer was absent the last time, 0 at first.
std::optional<std::size_t> head_end(std::string_view bytes, std::size_t from = 0);

/// What to say to a head that has not ended within the limit: target_too_long where not even its
/// first line has, else head_too_long.
HeadFault oversized(std::string_view bytes);

/// `bytes` is exactly one head, as head_end() counts it. Errors: a HeadFault, by "parse_request".
Result<RequestHead> parse_request(std::string_view bytes, const HeadLimits& limits = {});

/// The same for a response; each fold of a field becomes a space (RFC 9112 5.2).
Result<ResponseHead> parse_response(std::string_view bytes, const HeadLimits& limits = {});

/// The head as it is sent, its empty line included. Refused, so that nothing can be injected: a
/// name or method that is no token, a target with a blank, any control byte. Errors: a HeadFault.
Result<std::string> print(const RequestHead& head);
Result<std::string> print(const ResponseHead& head);

}  // namespace headrace::http
