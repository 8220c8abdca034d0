#pragma once

#include "headrace/method.hpp"

namespace headrace {

/// What every engine keeps: its job, where it stands, and the four ways to end a turn.
class JobEngine : public Engine {
 protected:
  explicit JobEngine(Job job) : job_(std::move(job)) {}

  /// Still wanted; `everything` where the end is unknown.
  [[nodiscard]] Bytes remaining() const;
  /// Where the next byte stands in the source; absent for streams.
  [[nodiscard]] std::optional<Bytes> source_offset() const;
  /// Bytes that have left the source can be had again.
  [[nodiscard]] bool rewindable() const {
    return job_.offset.has_value() || job_.source_facts.kind == Kind::zero_device;
  }

  /// The turn has moved its budget, or the caller wants the end: take no more from the source.
  [[nodiscard]] bool turn_is_over(Bytes turn, Bytes budget) const;

  Progress paused(Wait wait);
  Progress finished();
  Progress refused(Reason reason);
  /// Paused, refused or failed, as the errno table says. `blocked` is what EAGAIN waits for;
  /// absent: whichever end poll(2) finds unready.
  Progress stopped_by(const Error& error, std::optional<Wait> blocked = {});
  /// Could not even be set up, and nothing was touched: refused, with the errno kept.
  Progress refused_by(const Error& error, Reason reason);

  Progress failed(const Error& error);
  /// Adds what a call says it moved. False, and `progress_` has failed, where the answer cannot be
  /// true: more than was asked for (EOVERFLOW), or nothing although bytes were there (EIO).
  bool add_moved(std::size_t count, std::size_t asked, std::string_view call);
  /// What is left of the head; goes before the next bytes.
  [[nodiscard]] std::span<const std::byte> unsent_head() const;
  /// The same for a call that was given `unsent_head()` and `asked` bytes: how many of these went.
  std::optional<std::size_t> add_sent(std::size_t count, std::size_t asked, std::string_view call);
  bool believe(std::size_t count, std::size_t asked, std::string_view call);

  /// Which end an EAGAIN of a call with two ends means: asks poll(2), without waiting. Where both
  /// ends look ready the answer is `timer`, so that nobody spins.
  [[nodiscard]] Wait blocked_end() const;

  Job job_;
  Progress progress_;
};

/// A socket that is not ours may be blocking, and splice(2) from it would sleep: ask poll(2) first.
/// Anything else is ready as far as this question goes.
bool source_ready(const Job& job);

}  // namespace headrace
