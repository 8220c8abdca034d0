#include "methods/splice/engine.hpp"

#include <fcntl.h>

#include "methods/support/reasons.hpp"
#include "sys/splice.hpp"

namespace headrace {

Progress SpliceEngine::advance(Bytes budget) {
  for (Bytes turn = 0; remaining() > 0;) {
    if (turn_is_over(turn, budget)) return paused(Wait::nothing);
    if (!source_ready(job_)) return paused(Wait::source_readable);
    const std::size_t asked = next_request(std::min(remaining(), budget - turn));
    const auto step = sys::splice(job_.source.descriptor, source_offset(),
                                  job_.destination.descriptor, asked, SPLICE_F_NONBLOCK);
    ++progress_.calls;
    if (!step) return stopped_by(step.error());
    if (*step == 0 && progress_.moved == 0) return refused(first_call_zero);
    if (*step == 0) break;
    if (!add_moved(*step, asked, "splice")) return progress_;
    turn += *step;
  }
  return finished();
}

}  // namespace headrace
