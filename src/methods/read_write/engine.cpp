#include "methods/read_write/engine.hpp"

namespace headrace {
namespace {

// Measured from the page cache into TCP: 256 KiB runs 1.5x of 64 KiB, and 1 MiB gains no more.
constexpr Bytes default_buffer = 256 * kibibyte;
// One piece of memory is copied at 0.8 GB/s beyond this size and at 14 or more below.
constexpr Bytes largest_buffer = 16 * mebibyte;

// No more than the whole job needs: short ones come by the thousand.
std::size_t capacity_for(const Job& job) {
  const Bytes wished =
      std::min(job.buffer.value_or(default_buffer), job.bytes.value_or(everything));
  return static_cast<std::size_t>(std::clamp(wished, Bytes{1}, largest_buffer));
}

}  // namespace

ReadWriteEngine::ReadWriteEngine(const Job& job)
    : JobEngine(job),
      reader_(job.source.descriptor, job.source_facts),
      writer_(job.destination.descriptor, job.destination_facts),
      capacity_(capacity_for(job)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(capacity_)) {}

Progress ReadWriteEngine::advance(Bytes budget) {
  const Bytes start = progress_.moved;
  while (remaining() > 0) {
    const Bytes turn = progress_.moved - start;
    if (begin_ == end_) {
      if (turn_is_over(turn, budget)) return paused(Wait::nothing);
      const Step filled = fill(std::min(remaining(), budget - turn));
      if (filled == Step::stopped) return progress_;
      if (filled == Step::ended) break;
    }
    if (drain() == Step::stopped) return progress_;
  }
  return finished();
}

ReadWriteEngine::Step ReadWriteEngine::fill(Bytes most) {
  const std::span room{buffer_.get(), next_request(most, capacity_)};
  const auto step = reader_.read(room, source_offset());
  progress_.calls += reader_.take_calls();
  if (!step) {
    stopped_by(step.error(), Wait::source_readable);
    return Step::stopped;
  }
  if (!believe(*step, room.size(), "read")) return Step::stopped;
  begin_ = 0;
  end_ = *step;
  count_stranded();
  return *step == 0 ? Step::ended : Step::moved;
}

ReadWriteEngine::Step ReadWriteEngine::drain() {
  const std::span<const std::byte> bytes{buffer_.get() + begin_, end_ - begin_};
  const auto step = writer_.write(unsent_head(), bytes);
  progress_.calls += writer_.take_calls();
  if (!step) {
    stopped_by(step.error(), Wait::destination_writable);
    return Step::stopped;
  }
  const auto moved = add_sent(*step, bytes.size(), "write");
  if (!moved) return Step::stopped;
  if (job_.tap != nullptr) (*job_.tap)(bytes.first(*moved));
  begin_ += *moved;
  count_stranded();
  if (!writer_.may_sleep()) return Step::moved;
  // A signal may have cut that write short: the caller looks before the next one sleeps.
  paused(Wait::nothing);
  return Step::stopped;
}

// Bytes in the buffer are lost with it only where the source cannot be read again.
void ReadWriteEngine::count_stranded() { progress_.stranded = rewindable() ? 0 : end_ - begin_; }

}  // namespace headrace
