#pragma once

#include "transfer/course.hpp"

namespace headrace {

/// Sends what is left of the head, as far as there is room: true when nothing is left, false when
/// the destination must be waited for. `body_follows` at once: a TCP socket keeps the end of the
/// head for the body's first packet.
Result<bool> send_head(Course& course, bool body_follows);

}  // namespace headrace
