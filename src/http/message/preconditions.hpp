#pragma once

#include <optional>
#include <string_view>

#include "http/message/date.hpp"
#include "http/message/entity_tag.hpp"
#include "http/message/field.hpp"

namespace headrace::http {

/// What is known about the thing a request names, as it is now.
struct Validators {
  std::optional<EntityTag> tag;
  std::optional<Time> last_modified;
  bool exists = false;  ///< there is something that a GET would answer with
  /// It did not change twice within the second of `last_modified` (RFC 9110 8.8.2.2).
  bool last_modified_strong = false;
  Time now;  ///< the time of the request
};

struct Evaluation {
  enum class Outcome {
    proceed,
    not_modified,  ///< 304
    failed,        ///< 412
  };
  Outcome outcome = Outcome::proceed;
  /// The request has a Range field, it is a GET, it goes on, and If-Range does not forbid it.
  bool range_counts = false;
  friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

/// Evaluates If-Match, If-Unmodified-Since, If-None-Match, If-Modified-Since and If-Range in the
/// order of RFC 9110 13.2.2.
///
/// Only for requests that would succeed without them (13.2.1). A malformed list of tags matches
/// nothing, and where it guards a change it fails: a writer that asked for protection has it.
Evaluation evaluate(const Fields& fields, std::string_view method, const Validators& validators);

}  // namespace headrace::http
