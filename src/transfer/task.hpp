#pragma once

#include <optional>

#include "transfer/passage.hpp"

namespace headrace {

/// What the caller has probed already. Borrowed until the task is constructed, `source` until it is
/// over.
struct Known {
  const Facts* source = nullptr;  ///< of the first descriptor of the body, and wherever it recurs
  const Facts* destination = nullptr;
};

/// A transfer that never waits: it says what it needs, and somebody else waits (`transfer` by
/// poll(2), a server by its event loop).
///
///     for (Need need = task.turn(budget); need.what != Need::What::over; need = task.turn(budget))
///       task.woken(wait_for(need));
///     auto report = task.finish();
///
/// Ownership: borrows body, options, their memory and all descriptors until it is destroyed. Stays
/// where it was made. Threads: one at a time, any; CPU seconds and SIGPIPE are the caller's.
/// Cost: no allocation and no system call of its own; its engine and its report have theirs.
class Task {
 public:
  Task(const Body& body, Plain destination, const Options& options, Known known = {});
  Task(Body&&, Plain, const Options&, Known = {}) = delete;
  Task(const Body&, Plain, Options&&, Known = {}) = delete;

  /// Goes on, by at most `budget` bytes (a clone, which copies none, may go beyond). Ends at once
  /// where Options::stop is requested.
  Need turn(Bytes budget);
  /// How a wait ended. Any end but `ready` is one of the transfer, which the next turn carries out.
  /// `trouble`: the error of Woken::cannot_wait.
  void woken(Woken woken, const std::optional<Error>& trouble = {});
  /// While waiting: gives leases back that somebody waits for. To be called every
  /// Keeping::look_every while `has_lease`.
  void look() { course_.keeping.look(); }
  [[nodiscard]] bool has_lease() const { return course_.keeping.has_lease(); }

  /// The next turn may sleep on a disk.
  [[nodiscard]] bool sleeps_on_disk() const;
  /// Counts are exact after each turn; legs are those that have ended.
  [[nodiscard]] const Report& so_far() const { return course_.report; }
  /// Moved, and holes that needed no moving.
  [[nodiscard]] Bytes done() const { return course_.done(); }
  /// Once. What is not over yet is interrupted. An `Error` only where nothing could be started.
  Result<Report> finish();

  /// The ends as they are now, for whoever waits. Valid as long as the task.
  [[nodiscard]] const Job& job() const { return part_.job; }
  [[nodiscard]] Keeping& keeping() { return course_.keeping; }

 private:
  enum class Stage { pieces, passage, head, over };

  Task(const Body& body, Plain destination, const Options& options, Known known,
       Result<Facts> facts);
  std::optional<Need> step(Bytes budget);
  void next_piece();
  void begin_piece(const Piece& piece);
  bool read_source(const Piece& piece);
  void set_source(DescriptorRef source, const Facts& facts);
  std::optional<Need> pass(Bytes budget);
  std::optional<Need> send_rest_of_head();
  void end();
  void end_destination();
  void judge_sources();
  [[nodiscard]] bool limit_reached() const;

  Course course_;
  Known known_;
  std::optional<Error> not_started_;
  Clock::time_point start_ = Clock::now();
  Stage stage_ = Stage::pieces;
  std::size_t next_ = 0;  // piece
  DescriptorRef first_;   // the first descriptor of the body
  Part part_;
  std::optional<Passage> passage_;
  Tap tap_ = [this](std::span<const std::byte> bytes) {
    for (const Tap& tap : course_.body.taps) tap(bytes);
  };
};

}  // namespace headrace
