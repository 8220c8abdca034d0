#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "headrace/result.hpp"
#include "http/message/head.hpp"

// The strict look at a head that comes before the parser's.
namespace headrace::http {

/// What the look has found; the head obeys every rule that no HeadFault of it told.
struct HeadScan {
  std::string_view head;   ///< without empty lines before it
  std::size_t fields = 0;  ///< how many there are
  bool odd = false;        ///< allowed, and yet not as the parser wants it: plain_form() first
};

/// Errors: a HeadFault, by "parse_request".
Result<HeadScan> scan_request(std::string_view bytes, const HeadLimits& limits);
/// Errors: a HeadFault, by "parse_response".
Result<HeadScan> scan_response(std::string_view bytes, const HeadLimits& limits);

/// The same head as today's HTTP/1.1 has it: folded lines joined by one space, a later minor
/// version written as 1, the blank behind a status that has no reason.
std::string plain_form(std::string_view head);

}  // namespace headrace::http
