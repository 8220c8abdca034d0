#include "methods/copy_file_range/engine.hpp"

#include "methods/copy_file_range/copy_file_range.hpp"
#include "methods/support/reasons.hpp"

namespace headrace {
namespace {

// FUSE's protocol and glibc 2.41 and 2.42 cut the answer to 32 bits; a request of 1 GiB fits both.
constexpr Bytes most_per_copy = gibibyte;

}  // namespace

Progress CopyFileRangeEngine::advance(Bytes budget) {
  for (Bytes turn = 0; remaining() > 0;) {
    if (turn_is_over(turn, budget)) return paused(Wait::nothing);
    const std::size_t asked = next_request(std::min(remaining(), budget - turn), most_per_copy);
    const auto step = sys::copy_file_range(job_.source.descriptor, source_offset(),
                                           job_.destination.descriptor, asked);
    ++progress_.calls;
    if (!step) return stopped_by(step.error(), Wait::timer);
    if (*step == 0 && progress_.moved == 0) return refused(first_call_zero);
    if (*step == 0) break;
    if (!add_moved(*step, asked, "copy_file_range")) return progress_;
    turn += *step;
  }
  return finished();
}

std::vector<std::string> CopyFileRangeEngine::notes() const {
  if (!job_.destination_facts.may_clone) return {};
  return {"may-share: the file system may have cloned extents instead of copying"};
}

}  // namespace headrace
