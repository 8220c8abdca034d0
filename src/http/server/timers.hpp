#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "net/wait.hpp"

namespace headrace::http::server {

using net::Clock;

class Timers;

/// A moment at which something is called, once; nothing is set at first. Belongs to a loop's
/// thread. The call may set it again, and may destroy it (and nothing of the closure is used then).
class Timer {
 public:
  /// `timers` outlives the timer.
  Timer(Timers& timers, std::move_only_function<void()> expired)
      : timers_(timers), expired_(std::move(expired)) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer();

  /// Replaces what was set. Later than before, which is what each request of a connection does,
  /// costs nothing but an assignment; so does `cancel`.
  void set(Clock::time_point when);
  void cancel() { when_ = never; }
  [[nodiscard]] bool is_set() const { return when_ != never; }

 private:
  friend class Timers;
  static constexpr auto never = Clock::time_point::max();
  static constexpr auto nowhere = static_cast<std::size_t>(-1);

  Timers& timers_;
  std::move_only_function<void()> expired_;
  Clock::time_point when_ = never;
  std::size_t place_ = nowhere;  // in the heap
};

/// The timers of one loop. Knows no clock: its owner says what time it is.
///
/// A heap whose entries may be earlier than what their timers are set for: an entry that comes up
/// too early is put back where it belongs. So a timer that is moved to later again and again comes
/// up once per span, however often it was moved.
class Timers {
 public:
  Timers() = default;
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;
  ~Timers() = default;

  /// When to call `run` next, at the latest; it may turn out that nothing is due then.
  [[nodiscard]] std::optional<Clock::time_point> next() const;
  /// Calls what is due at `now`, the earliest first, at most `most`. What the calls set for `now`
  /// or earlier is due in the next run.
  void run(Clock::time_point now, std::size_t most);

 private:
  friend class Timer;
  struct Entry {
    Clock::time_point when;
    Timer* timer = nullptr;
  };

  void put(Timer& timer);
  void take_out(Timer& timer);
  void place(std::size_t where, Entry entry);
  void rise(std::size_t where);
  void sink(std::size_t where);

  std::vector<Entry> heap_;
  std::optional<Clock::time_point> running_;  // the moment of the run that goes on
};

}  // namespace headrace::http::server
