#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "transfer/lease.hpp"
#include "transfer/source_state.hpp"

namespace headrace {

/// Watches one regular source for changes, from before its first byte to after its last.
///
/// Identity, size, mtime, ctime and the file its path leads to are looked at twice. Where it can
/// be had, a read lease is taken before the first look. As long as it is held, nobody writes.
///
/// Why the evidence is still `lease` after the lease was broken and given back: when it was taken
/// there was no writer and no writable mapping. So each page stood clean and write-protected in
/// every mapping, and no write(2) was under way. What comes later comes after the first look, and
/// each way of it moves mtime and ctime before or with the first byte: write(2) and its like when
/// they start, a store through a new mapping when it faults on a page for the first time. Two
/// things have to hold for that, and both are seen to here: the stamp must differ from the one
/// looked at (before Linux 6.13 a change in the same tick of the clock bears the same: the lease
/// is not given back before the tick is over), and the file system must let the first store fault
/// (tmpfs does not after a read: there the evidence becomes `times`).
///
/// Under `times` alone three things stay unseen: stores through a mapping whose pages were dirty
/// already, a write(2) that ran already at the first look, and writes whose times were set back
/// within one tick. Files whose system counts times in seconds hide a second write in the same one.
///
/// Ownership: borrows the source. While a lease is held, an open for writing of the source waits
/// (with O_NONBLOCK: fails with EWOULDBLOCK), so `look` must be called often. Threads: one at a
/// time; no record lock of fcntl(2) should be taken on the source meanwhile by this process, it is
/// dropped when the lease is given back.
class Guard {
 public:
  /// Looks at the source before its first byte, and takes a read lease where that is to be had and
  /// `may_lease`: not where `look` cannot be called often, and a writer would wait for us.
  /// `path`: empty, or one that leads elsewhere already: not looked at by name. Sleeps at most
  /// 20 ms, where the source was changed within the current tick of a coarse clock.
  /// Errors: fstat(2) failing.
  static Result<Guard> begin(DescriptorRef source, std::string path, bool may_lease = true);

  [[nodiscard]] Evidence evidence() const { return evidence_; }
  /// A writer would have to wait for us now.
  [[nodiscard]] bool holds_lease() const { return lease_.has_value(); }

  /// To be called each turn and every 50 ms while waiting: gives back a lease that a writer waits
  /// for. One fcntl(2); nothing without a lease.
  void look();

  /// What happened since `begin`; absent: nothing that this evidence sees. `touched` counts only
  /// where somebody could have written: not under a lease that nobody has broken. Errors: fstat(2).
  [[nodiscard]] Result<std::optional<Change>> changed() const;

  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  using Clock = std::chrono::steady_clock;

  Guard(DescriptorRef source, std::string path) : source_(source), path_(std::move(path)) {}

  void take_lease();
  Result<void> look_first();
  Result<void> settle();

  DescriptorRef source_;
  std::string path_;
  Clock::time_point start_ = Clock::now();
  std::string_view file_system_;
  std::optional<Lease> lease_;
  SourceState first_;
  Evidence evidence_ = Evidence::times;
  std::vector<std::string> notes_;
};

}  // namespace headrace
