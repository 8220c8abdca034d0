#include "methods/send_zerocopy/send_ledger.hpp"

#include <algorithm>

namespace headrace {
namespace {

// From `from` on to `to` on a circle of 2^32 numbers; negative where that is the shorter way.
std::int64_t steps(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::int32_t>(to - from);
}

}  // namespace

void SendLedger::sent(std::size_t buffer, std::size_t bytes) {
  if (buffer >= held_.size()) held_.resize(buffer + 1);
  ++held_[buffer];
  ++outstanding_;
  sends_.push_back({.buffer = buffer, .bytes = bytes});
}

void SendLedger::completed(std::uint32_t first, std::uint32_t last, bool copied) {
  if (outstanding_ == 0) return;  // of others, before our time
  const Range range{.first = first, .last = last, .copied = copied};
  if (oldest_) {
    mark(range);
    return;
  }
  unplaced_.push_back(range);
  find_oldest();
}

bool SendLedger::holds(std::size_t buffer) const {
  return buffer < held_.size() && held_[buffer] > 0;
}

void SendLedger::find_oldest() {
  const std::uint32_t anchor = unplaced_.front().first;
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (const Range& range : unplaced_) {
    low = std::min(low, steps(anchor, range.first));
    high = std::max(high, steps(anchor, range.last));
  }
  if (high - low + 1 != static_cast<std::int64_t>(sends_.size())) return;
  oldest_ = anchor + static_cast<std::uint32_t>(low);
  for (const Range& range : unplaced_) mark(range);
  unplaced_.clear();
}

// Numbers that no send of ours has are ignored.
void SendLedger::mark(const Range& range) {
  const std::uint64_t begin = range.first - *oldest_;  // modulo 2^32
  const std::uint64_t end = begin + (range.last - range.first) + 1;
  for (auto at = begin; at < std::min<std::uint64_t>(end, sends_.size()); ++at) {
    mark(sends_[at], range.copied);
  }
  for (; !sends_.empty() && sends_.front().done; sends_.pop_front()) ++*oldest_;
}

void SendLedger::mark(Send& send, bool copied) {
  if (send.done) return;
  send.done = true;
  --held_[send.buffer];
  --outstanding_;
  Sum& sum = copied ? copied_ : uncopied_;
  ++sum.sends;
  sum.bytes += send.bytes;
}

}  // namespace headrace
