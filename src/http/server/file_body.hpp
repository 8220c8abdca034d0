#pragma once

#include <vector>

#include "headrace/body.hpp"
#include "http/server/answer.hpp"

namespace headrace::http::server {

/// What `answer` sends of `file`, its part heads included. Borrows both.
Body body_of(const Answer& answer, DescriptorRef file);

/// A stretch of a file.
struct Stretch {
  Bytes offset = 0;
  Bytes length = 0;
};
/// Of such a body, the bytes of the file that come first among the next `most` ones when `done` are
/// through; its length is 0 where there are none.
Stretch next_stretch(const Body& body, Bytes done, Bytes most);

}  // namespace headrace::http::server
