#include "methods/sendfile/engine.hpp"

#include "methods/sendfile/sendfile.hpp"
#include "methods/support/reasons.hpp"

namespace headrace {

Progress SendfileEngine::advance(Bytes budget) {
  for (Bytes turn = 0; remaining() > 0;) {
    if (turn_is_over(turn, budget)) return paused(Wait::nothing);
    const std::size_t asked = next_request(std::min(remaining(), budget - turn));
    const auto step =
        sys::sendfile(job_.destination.descriptor, job_.source.descriptor, source_offset(), asked);
    ++progress_.calls;
    if (!step) return stopped_by(step.error(), Wait::destination_writable);
    if (*step == 0 && progress_.moved == 0) return refused(first_call_zero);
    if (*step == 0) break;  // the source ended early: whoever knows its length compares
    if (!add_moved(*step, asked, "sendfile")) return progress_;
    turn += *step;
  }
  return finished();
}

}  // namespace headrace
