#include "methods/small_blocks/engine.hpp"

#include "sys/read_write.hpp"

namespace headrace {

Progress SmallBlocksEngine::advance(Bytes budget) {
  for (Bytes turn = 0; remaining() > 0;) {
    if (turn_is_over(turn, budget)) return paused(Wait::nothing);
    if (pending_.empty()) {
      const auto taken = read_block();
      if (!taken) return stopped_by(taken.error(), Wait::source_readable);
      if (*taken == 0) break;  // the source ended early: whoever knows its length compares
      pending_ = std::span(block_).first(*taken);
      count_stranded();
    }
    const auto given = sys::write(job_.destination.descriptor, pending_);
    ++progress_.calls;
    if (!given) return stopped_by(given.error(), Wait::destination_writable);
    pending_ = pending_.subspan(*given);
    count_stranded();
    progress_.moved += *given;
    turn += *given;
  }
  return finished();
}

Result<std::size_t> SmallBlocksEngine::read_block() {
  ++progress_.calls;
  const auto wanted = std::span(block_).first(next_request(remaining(), block_.size()));
  if (const auto offset = source_offset()) {
    return sys::pread(job_.source.descriptor, wanted, *offset);
  }
  return sys::read(job_.source.descriptor, wanted);
}

// A block read at an offset can be read again there; one read from a position is in our hands only.
void SmallBlocksEngine::count_stranded() {
  progress_.stranded = rewindable() ? 0 : pending_.size();
}

}  // namespace headrace
