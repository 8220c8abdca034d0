#include "transfer/memory_engine.hpp"

#include <algorithm>

namespace headrace {

MemoryEngine::MemoryEngine(Memory memory, const Job& job)
    : JobEngine(job), memory_(memory), writer_(job.destination.descriptor, job.destination_facts) {}

Progress MemoryEngine::advance(Bytes budget) {
  const Bytes start = progress_.moved;
  while (remaining() > 0) {
    const Bytes turn = progress_.moved - start;
    if (turn_is_over(turn, budget)) return paused(Wait::nothing);
    const auto rest = memory_.bytes.subspan(static_cast<std::size_t>(progress_.moved),
                                            next_request(std::min(remaining(), budget - turn)));
    const auto step = writer_.write(unsent_head(), rest);
    progress_.calls += writer_.take_calls();
    if (!step) return stopped_by(step.error(), Wait::destination_writable);
    const auto moved = add_sent(*step, rest.size(), "write");
    if (!moved) return progress_;
    if (job_.tap != nullptr) (*job_.tap)(rest.first(*moved));
    // A signal may have cut that write short: the caller looks before the next one sleeps.
    if (writer_.may_sleep()) return paused(Wait::nothing);
  }
  return finished();
}

}  // namespace headrace
