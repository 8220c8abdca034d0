#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headrace/bytes.hpp"
#include "http/message/date.hpp"
#include "http/message/entity_tag.hpp"
#include "http/message/framing.hpp"
#include "http/message/head.hpp"
#include "http/message/range.hpp"
#include "http/message/target.hpp"
#include "http/server/configuration.hpp"

// What is answered to what. Pure: no descriptor, no clock.
namespace headrace::http::server {

/// A regular file, as far as an answer depends on it.
struct FileFacts {
  Bytes size = 0;
  EntityTag tag;
  Time modified;
  bool modified_strong = false;  ///< it did not change twice within that second
  std::string_view media_type;
};

/// There is nothing to answer with under a path; `status` says why: 403, 404, 500, 503.
struct Absent {
  int status = 404;
};
/// A directory without an index.
struct Directory {};
/// What a path leads to. Borrows the file's facts.
using Found = std::variant<Absent, Directory, const FileFacts*>;

/// What an answer depends on besides the request and the file.
struct Surroundings {
  const Configuration& configuration;
  bool loopback = false;  ///< the listener's address: names must be known ones (DNS rebinding)
  Time now;
  std::string_view boundary;  ///< of multipart answers: nothing that a file would contain
};

/// An answer's head, and where its content comes from.
struct Answer {
  enum class Content {
    none,     ///< the head has no length either: 304
    text,     ///< `text`
    file,     ///< the found file, or `ranges` of it
    listing,  ///< of the found directory, as `listing_type` says: still to be made
  };
  int status = 200;
  Fields fields;  ///< without Date, Connection and Content-Length
  Content content = Content::text;
  std::string text;
  Bytes length = 0;                     ///< of a file's content, part heads included
  std::vector<Range> ranges;            ///< none: all of it
  std::vector<std::string> part_heads;  ///< multipart: before each range, and one behind the last
  std::string_view listing_type;
  bool prepared = false;  ///< the whole file: its prepared head will do, `fields` is empty
  std::string why;        ///< a clause for the log; may be empty
  bool close = false;     ///< no other request can be read after this one
};

/// A head that was read whole, and what it says.
struct Request {
  RequestHead head;
  BodyFraming framing;
  Target target;
  bool expects_continue = false;
};

/// The answer to a head that is refused. Nothing behind it can be understood: the connection ends.
Answer answer_fault(const std::error_code& fault);
/// A status with a line of text that says it.
Answer answer_status(int status, Fields fields = {});

/// The answer to a body that was taken: 201 or 204.
Answer answer_taken(int status);

/// Reads on in `head` and answers what needs no look at a file: a target that names nothing, a host
/// that is not ours, a method that is not offered. Absent: `request` is a GET, HEAD or PUT of a
/// path.
std::optional<Answer> answer_head(RequestHead head, const Surroundings& surroundings,
                                  Request& request);

/// The answer to GET and HEAD.
Answer answer_get(const Request& request, const Found& found, const Surroundings& surroundings);

/// The answer to a PUT that is refused before its body is looked at. Absent: it may come.
std::optional<Answer> answer_put(const Request& request, const Found& found,
                                 const Surroundings& surroundings);

/// "GET, HEAD, OPTIONS", and PUT where it is offered.
std::string_view allowed_methods(const Configuration& configuration);

/// The media type of a listing that a request would rather have (RFC 9110 12.5.1); HTML where it
/// does not say.
std::string_view preferred_listing(const Fields& fields);

}  // namespace headrace::http::server
