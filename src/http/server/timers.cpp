#include "http/server/timers.hpp"

#include <utility>

namespace headrace::http::server {

Timer::~Timer() {
  if (place_ != nowhere) timers_.take_out(*this);
}

void Timer::set(Clock::time_point when) {
  // A run would never end where each call set its timer for the moment that is being run.
  if (timers_.running_ && when <= *timers_.running_) when = *timers_.running_ + Clock::duration{1};
  when_ = when;
  timers_.put(*this);
}

std::optional<Clock::time_point> Timers::next() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front().when;
}

void Timers::run(Clock::time_point now, std::size_t most) {
  running_ = now;
  while (!heap_.empty() && heap_.front().when <= now && most > 0) {
    Timer& timer = *heap_.front().timer;
    take_out(timer);
    if (timer.when_ > now) {
      if (timer.is_set()) put(timer);
      continue;
    }
    timer.cancel();
    --most;
    timer.expired_();  // `timer` may be gone after this
  }
  running_.reset();
}

void Timers::put(Timer& timer) {
  if (timer.place_ == Timer::nowhere) {
    heap_.push_back({});
    place(heap_.size() - 1, {timer.when_, &timer});
  } else if (heap_[timer.place_].when <= timer.when_) {
    return;  // it comes up too early and is put back then
  } else {
    heap_[timer.place_].when = timer.when_;
  }
  rise(timer.place_);
}

void Timers::take_out(Timer& timer) {
  const std::size_t hole = std::exchange(timer.place_, Timer::nowhere);
  const Entry last = heap_.back();
  heap_.pop_back();
  if (last.timer == &timer) return;
  place(hole, last);
  sink(hole);
  rise(last.timer->place_);
}

void Timers::place(std::size_t where, Entry entry) {
  heap_[where] = entry;
  entry.timer->place_ = where;
}

void Timers::rise(std::size_t where) {
  const Entry entry = heap_[where];
  while (where > 0) {
    const std::size_t above = (where - 1) / 2;
    if (heap_[above].when <= entry.when) break;
    place(where, heap_[above]);
    where = above;
  }
  place(where, entry);
}

void Timers::sink(std::size_t where) {
  const Entry entry = heap_[where];
  while (true) {
    std::size_t below = 2 * where + 1;
    if (below >= heap_.size()) break;
    if (below + 1 < heap_.size() && heap_[below + 1].when < heap_[below].when) ++below;
    if (entry.when <= heap_[below].when) break;
    place(where, heap_[below]);
    where = below;
  }
  place(where, entry);
}

}  // namespace headrace::http::server
