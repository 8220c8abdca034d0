#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "headrace/method.hpp"
#include "headrace/report.hpp"
#include "transfer/guard.hpp"

namespace headrace {

/// What keeps the contract of one transfer: the guards of its sources, a clone that is sent in
/// place of one, and the last bytes, which a peer does not get before the sources have been looked
/// at again.
class Keeping {
 public:
  /// A writer that waits for our lease is let go after this time at the latest, while we wait.
  static constexpr std::chrono::milliseconds look_every{50};
  /// And during a turn after as many bytes: some milliseconds from a page cache.
  static constexpr Bytes longest_turn = 16 * mebibyte;
  /// What is held back is never more than this.
  static constexpr Bytes last_piece = 64 * kibibyte;

  /// Pages of a file that nobody else can reach may be given away and stay what they are: the
  /// source of `job` becomes a clone of it. False where none can be had.
  bool clone_source(Job& job);
  /// Before the first byte of a job. `path`: where its source was found; may be empty. `last`: no
  /// other source follows, so its last bytes are what is held back. Errors: the source cannot be
  /// looked at.
  Result<void> begin(Contract contract, const Job& job, const std::string& path, bool last);

  /// Gives leases back that somebody waits for.
  void look();
  [[nodiscard]] bool has_lease() const;
  /// How much of `bytes` may move before `changed` must be asked: all but the last piece, of a
  /// short message half. All of it where nothing is to be held back (any more).
  [[nodiscard]] Bytes before_last_piece(Bytes bytes) const;
  /// What happened to any of the sources; the last bytes are not held back after that.
  Result<std::optional<Change>> changed();
  /// The same at the very end, unless it was asked before the last bytes went: what a file was
  /// given can be thrown away whole, what a peer has got cannot.
  Result<std::optional<Change>> changed_at_end();

  /// By what the contract is kept: the weakest over all sources. Absent under `live`, and where
  /// guarded sources were never looked at again.
  [[nodiscard]] std::optional<Evidence> evidence() const;
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  [[nodiscard]] Evidence evidence_of_stable(const Job& job) const;

  std::vector<Guard> guards_;
  Descriptor clone_;
  std::optional<Evidence> stable_;  // by what a stable source stays what it is
  bool holds_back_ = false;
  bool looked_before_last_ = false;
  bool looked_again_ = false;
};

}  // namespace headrace
