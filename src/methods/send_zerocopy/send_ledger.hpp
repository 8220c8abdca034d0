#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "headrace/bytes.hpp"

namespace headrace {

/// With which of our sends the kernel is done. Pure.
///
/// The kernel numbers the sends of a socket by a counter of 32 bits that wraps, and tells ranges of
/// them, in any order. Where the counter stood before our first send nobody says: it is known as
/// soon as what was told spans exactly as many numbers as sends were made, and no send counts as
/// done before that. So every send on the socket since the last one completed must be here.
class SendLedger {
 public:
  struct Sum {
    std::uint64_t sends = 0;
    Bytes bytes = 0;
  };

  /// One send with MSG_ZEROCOPY took `bytes` bytes out of that buffer.
  void sent(std::size_t buffer, std::size_t bytes);
  /// The kernel is done with the sends `first` to `last`. `copied`: it copied them after all. What
  /// comes while nothing is outstanding is not ours.
  void completed(std::uint32_t first, std::uint32_t last, bool copied);

  /// Sends of which it is not known that they are done.
  [[nodiscard]] std::size_t outstanding() const { return outstanding_; }
  /// The kernel may still read that buffer.
  [[nodiscard]] bool holds(std::size_t buffer) const;
  [[nodiscard]] const Sum& copied() const { return copied_; }
  [[nodiscard]] const Sum& uncopied() const { return uncopied_; }

 private:
  struct Send {
    std::size_t buffer = 0;
    std::size_t bytes = 0;
    bool done = false;
  };
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool copied = false;
  };
  void find_oldest();
  void mark(const Range& range);
  void mark(Send& send, bool copied);

  std::deque<Send> sends_;  // from the oldest that is not done on
  std::size_t outstanding_ = 0;
  std::vector<std::uint64_t> held_;      // by buffer: how many of its sends are outstanding
  std::optional<std::uint32_t> oldest_;  // the kernel's number of sends_.front()
  std::vector<Range> unplaced_;          // told before that was known
  Sum copied_;
  Sum uncopied_;
};

}  // namespace headrace
