#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "headrace/descriptor.hpp"
#include "http/server/mailbox.hpp"
#include "http/server/timers.hpp"
#include "http/server/turns.hpp"

namespace headrace::http::server {

class Loop;

/// A descriptor that a loop watches; forgets it when destroyed. To be destroyed before the
/// descriptor is closed (declare it after), before its handler and before the loop.
class Watch {
 public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  Watch(Watch&& other) noexcept
      : loop_(std::exchange(other.loop_, nullptr)), descriptor_(other.descriptor_) {}
  Watch& operator=(Watch&& other) noexcept;
  ~Watch() { forget(); }

  /// Watches for other events from now on; what is there already is told (again).
  Result<void> change(std::uint32_t events);
  void forget();
  [[nodiscard]] bool active() const { return loop_ != nullptr; }

 private:
  friend class Loop;
  Watch(Loop& loop, DescriptorRef descriptor) : loop_(&loop), descriptor_(descriptor) {}

  Loop* loop_ = nullptr;
  DescriptorRef descriptor_;
};

/// One epoll instance and the one thread that calls `run`: descriptors, timers, turns, and letters
/// from other threads.
///
/// In each round: waits, unless somebody has asked for a turn; then the events, at most
/// `events_per_round`; the timers that are due; the letters; then one turn for each that asked, at
/// most `turns_per_round`, so that neither many busy connections nor many small requests starve the
/// others. A handler bounds what it does in one call and asks for more by `again`. Nothing is
/// allocated per event.
///
/// `events` are epoll_ctl(2)'s and may have EPOLLET. A connection does best with EPOLLIN |
/// EPOLLOUT | EPOLLRDHUP | EPOLLET once and no `change` at all: no system call per request; it
/// remembers what it was told until a call answers EAGAIN. A listener shared by loops wants EPOLLIN
/// | EPOLLEXCLUSIVE and no EPOLLET: what one loop leaves another takes; to pause, forget it.
///
/// Calls of handlers, timers and letters may destroy any of them, themselves included, and may
/// watch anew a number that was just closed: events of the old one are not told.
///
/// Threads: everything but `post`, `mailbox` and `stop` belongs to the loop's thread (or to that
/// which builds things up before `run`). What is watched must be gone before the loop is.
class Loop {
 public:
  static Result<std::unique_ptr<Loop>> open();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  /// Letters not called yet are destroyed.
  ~Loop();

  /// Calls `handler.ready` whenever `descriptor` has one of `events`. One watch per descriptor.
  Result<Watch> watch(DescriptorRef descriptor, std::uint32_t events, Handler& handler);
  /// Calls `handler.turn` once, after all that is ready now has had its turn. Asking twice is one.
  void again(Handler& handler) { turns_.add(handler); }
  [[nodiscard]] Timers& timers() { return timers_; }
  /// The time when this round began: good enough to set timers by, and costs no call.
  [[nodiscard]] Clock::time_point now() const { return now_; }

  /// Calls `letter` on the loop's thread. From any thread.
  bool post(Mailbox::Letter letter) { return mailbox_->post(std::move(letter)); }
  /// To post from threads that may outlive the loop.
  [[nodiscard]] std::shared_ptr<Mailbox> mailbox() const { return mailbox_; }

  /// Goes round until `stop`. An error is epoll_wait(2)'s, and never a signal. May be called again.
  Result<void> run();
  /// Ends `run` after the round that goes on, or the next `run` after its first. From any thread
  /// and from a signal handler.
  void stop() noexcept;

 private:
  friend class Watch;
  static constexpr std::size_t events_per_round = 128;
  static constexpr std::size_t turns_per_round = 128;
  static constexpr std::size_t timers_per_round = 256;

  // What an event is for. The generation tells an event of a closed descriptor from one of the
  // next that got its number.
  struct Slot {
    Handler* handler = nullptr;
    std::uint32_t generation = 0;
  };

  Loop(Descriptor epoll, std::shared_ptr<Mailbox> mailbox);
  Result<void> round();
  [[nodiscard]] std::optional<std::chrono::milliseconds> patience() const;
  void dispatch(const epoll_event& event);
  void read_letters();
  Slot& slot_of(DescriptorRef descriptor);
  Result<void> change(DescriptorRef descriptor, std::uint32_t events);
  void forget(DescriptorRef descriptor);

  Descriptor epoll_;
  std::shared_ptr<Mailbox> mailbox_;
  std::vector<Slot> slots_;  // by number of the descriptor
  std::array<epoll_event, events_per_round> events_{};
  Timers timers_;
  Turns turns_;
  Clock::time_point now_ = Clock::now();
  std::atomic<bool> stop_{false};
  bool letters_ = false;  // the bell was heard
};

}  // namespace headrace::http::server
