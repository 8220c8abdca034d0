#include "methods/vmsplice/engine.hpp"

#include <fcntl.h>

#include "methods/support/reasons.hpp"
#include "methods/vmsplice/vmsplice.hpp"

namespace headrace {
namespace {

constexpr Bytes default_buffer = 64 * kibibyte;
// One piece of memory is copied at 0.8 GB/s beyond this size and at 14 or more below.
constexpr Bytes largest_buffer = 16 * mebibyte;

}  // namespace

Progress VmspliceEngine::advance(Bytes budget) {
  if (!pipe_ && !set_up()) return progress_;
  const Bytes start = progress_.moved;
  while (remaining() > 0) {
    const Bytes turn = progress_.moved - start;
    if (undelivered() == 0) {
      if (turn_is_over(turn, budget)) return paused(Wait::nothing);
      const Step filled = fill(std::min(remaining(), budget - turn));
      if (filled == Step::stopped) return progress_;
      if (filled == Step::ended) break;
    }
    if (lend() == Step::stopped || drain() == Step::stopped) return progress_;
  }
  return finished();
}

// A pipe is full by slots, of which each of our pages takes one: a buffer is no larger than the
// pipe that was given, so that it fits whole.
bool VmspliceEngine::set_up() {
  const Bytes asked = std::max(job_.buffer.value_or(default_buffer), Bytes{1});
  auto pipe = TransitPipe::open(asked);
  if (!pipe) {
    refused_by(pipe.error(), no_pipe);
    return false;
  }
  size_ = static_cast<std::size_t>(
      std::clamp(pipe->capacity(), Bytes{1}, std::min(asked, largest_buffer)));
  for (PageBuffer& buffer : buffers_) {
    auto pages = PageBuffer::allocate(size_);
    if (!pages) {
      refused_by(pages.error(), no_memory);
      return false;
    }
    buffer = std::move(*pages);
  }
  pipe_ = std::move(*pipe);
  return true;
}

// Only when the pipe has given everything away: a page that is still in it would change there. By
// turns, so that what was delivered last stays as it was for one round more.
VmspliceEngine::Step VmspliceEngine::fill(Bytes most) {
  const std::size_t next = 1 - turn_;
  const auto room = buffers_[next].bytes().first(next_request(most, size_));
  const auto step = reader_.read(room, source_offset());
  progress_.calls += reader_.take_calls();
  if (!step) {
    stopped_by(step.error(), Wait::source_readable);
    return Step::stopped;
  }
  if (!believe(*step, room.size(), "read")) return Step::stopped;
  turn_ = next;
  end_ = *step;
  lent_ = delivered_ = 0;
  count_stranded();
  return *step == 0 ? Step::ended : Step::moved;
}

VmspliceEngine::Step VmspliceEngine::lend() {
  if (pipe_->held() > 0) return Step::moved;
  const std::span<const std::byte> rest = buffers_[turn_].bytes().subspan(lent_, end_ - lent_);
  const auto step = pipe_->fill_by(rest.size(), [&](DescriptorRef writer) {
    return sys::vmsplice(writer, rest, SPLICE_F_NONBLOCK);
  });
  ++progress_.calls;
  if (!step) {
    stopped_by(step.error(),
               Wait::timer);  // an empty pipe of ours is writable: nothing to poll for
    return Step::stopped;
  }
  if (*step == 0) failed(fail("vmsplice", EIO).error());
  if (*step == 0 || !believe(*step, rest.size(), "vmsplice")) return Step::stopped;
  lent_ += *step;
  return Step::moved;
}

VmspliceEngine::Step VmspliceEngine::drain() {
  const auto asked = static_cast<std::size_t>(pipe_->held());
  const auto step = pipe_->drain(job_.destination.descriptor);
  ++progress_.calls;
  if (!step) {
    stopped_by(step.error(), Wait::destination_writable);
    return Step::stopped;
  }
  if (!add_moved(*step, asked, "splice")) return Step::stopped;
  if (job_.tap != nullptr) (*job_.tap)(buffers_[turn_].bytes().subspan(delivered_, *step));
  delivered_ += *step;
  count_stranded();
  return Step::moved;
}

std::vector<std::string> VmspliceEngine::notes() const {
  return pipe_ ? pipe_->notes() : std::vector<std::string>{};
}

}  // namespace headrace
