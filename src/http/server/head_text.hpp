#pragma once

#include <string>
#include <string_view>

#include "http/server/answer.hpp"

namespace headrace::http::server {

/// What the head of an answer says besides the answer.
struct HeadEnd {
  std::string_view date;  ///< "Date: ...\r\n"
  bool keeps = true;      ///< the connection stays open
  int minor_version = 1;  ///< of the request: HTTP/1.0 has to be told that it stays open
};

/// Appends the head of an answer: `prepared` (CachedFile::head) where the answer says so.
///
/// Nothing that came from outside can add a line: what cannot be printed becomes a plain 500.
void append_head(std::string& text, const Answer& answer, std::string_view prepared,
                 const HeadEnd& end);

}  // namespace headrace::http::server
