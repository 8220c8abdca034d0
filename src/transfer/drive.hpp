#pragma once

#include <memory>

#include "net/wait.hpp"
#include "transfer/course.hpp"
#include "transfer/need.hpp"

namespace headrace {

/// How one method fared.
struct Driven {
  Leg leg;
  Progress progress;             ///< the last answer of its engine
  bool interrupted = false;      ///< stopped by the caller; the leg's ending is `paused`
  bool answered = false;         ///< the peer spoke (Replies::end_it)
  std::optional<Change> change;  ///< of a source, so that the last bytes were not sent; `paused`
};

/// One leg: the turns of one engine, until it ends or somebody stops it. Waits for nobody.
class Drive {
 public:
  /// Borrows all but the engine.
  Drive(const Method& method, std::unique_ptr<Engine> engine, const Job& job, Course& course);

  /// One turn of at most `budget` bytes; `over` when the leg has its ending.
  Need turn(Bytes budget);
  /// How the wait ended that the last turn needed. `trouble`: the error of Woken::cannot_wait.
  void woken(Woken woken, const std::optional<Error>& trouble);
  /// Once.
  Driven finish();
  [[nodiscard]] const Method& method() const { return *driven_.leg.method; }

 private:
  Progress& progress() { return driven_.progress; }
  [[nodiscard]] Bytes most_per_turn() const;
  void advance(Bytes budget);
  std::optional<Need> settle();
  std::optional<Need> send_head_first();
  Need wait_for_pace();
  Need next_need(bool moved);
  Need ended(Ending ending);
  Need interrupted();
  Need failed(const Error& error);

  Course& course_;
  const Job& job_;
  std::unique_ptr<Engine> engine_;
  Clock::time_point start_ = Clock::now();
  Driven driven_;
  int idle_turns_ = 0;
  bool owes_tick_ = false;  // before the next turn
  bool over_ = false;
  bool settling_ = false;
  net::BackOff back_off_;
  Bytes released_ = everything;  // what may move before the sources are looked at again
};

}  // namespace headrace
