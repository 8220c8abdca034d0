#include "methods/splice_pipe/engine.hpp"

#include <fcntl.h>

#include "methods/support/reasons.hpp"

namespace headrace {
namespace {

// The most an ordinary user may have (/proc/sys/fs/pipe-max-size), and measured best: a socket
// into a file runs 2.2x the 64 KiB loop through it and 1.3x through the default 64 KiB.
constexpr Bytes default_capacity = mebibyte;

}  // namespace

Progress SplicePipeEngine::advance(Bytes budget) {
  if (!pipe_) {
    auto opened = TransitPipe::open(job_.buffer.value_or(default_capacity));
    if (!opened) return refused_by(opened.error(), no_pipe);
    pipe_ = std::move(*opened);
  }
  const Bytes start = progress_.moved;
  while (remaining() > 0) {
    const Bytes turn = progress_.moved - start;
    if (pipe_->held() == 0) {
      if (turn_is_over(turn, budget)) return paused(Wait::nothing);
      const Step filled = fill(std::min(remaining(), budget - turn));
      if (filled == Step::stopped) return progress_;
      if (filled == Step::ended) break;
    }
    if (drain() == Step::stopped) return progress_;
  }
  return finished();
}

SplicePipeEngine::Step SplicePipeEngine::fill(Bytes most) {
  if (!source_ready(job_)) {
    paused(Wait::source_readable);
    return Step::stopped;
  }
  const std::size_t asked = next_request(most);
  const auto step = pipe_->fill(job_.source.descriptor, source_offset(), asked);
  ++progress_.calls;
  if (!step) {
    stopped_by(step.error(), Wait::source_readable);
    return Step::stopped;
  }
  if (*step == 0) {
    if (progress_.moved > 0) return Step::ended;
    refused(first_call_zero);
    return Step::stopped;
  }
  count_stranded();
  return believe(*step, asked, "splice") ? Step::moved : Step::stopped;
}

SplicePipeEngine::Step SplicePipeEngine::drain() {
  const auto asked = static_cast<std::size_t>(pipe_->held());
  const auto step = pipe_->drain(job_.destination.descriptor);
  ++progress_.calls;
  if (!step) {
    stopped_by(step.error(), Wait::destination_writable);
    return Step::stopped;
  }
  if (!add_moved(*step, asked, "splice")) return Step::stopped;
  count_stranded();
  return Step::moved;
}

// Bytes in the pipe are lost with it only where the source cannot be read again.
void SplicePipeEngine::count_stranded() { progress_.stranded = rewindable() ? 0 : pipe_->held(); }

std::vector<std::string> SplicePipeEngine::notes() const {
  return pipe_ ? pipe_->notes() : std::vector<std::string>{};
}

}  // namespace headrace
