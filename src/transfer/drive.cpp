#include "transfer/drive.hpp"

#include <cerrno>

namespace headrace {
namespace {

// With somebody watching, a turn is short enough for a display to move on a slow disk too.
constexpr Bytes observed_turn = 8 * mebibyte;
// Turns in a row that moved nothing although poll(2) called both ends ready. From here on a tick is
// waited between them, so that no disagreement between poll(2) and a call becomes a busy loop.
constexpr int idle_turns_believed = 2;

class Drive {
 public:
  Drive(const Method& method, const Job& job, Course& course)
      : course_(course),
        engine_(method.start(job)),
        waiter_(job, course.options, course.keeping),
        start_(Clock::now()) {
    driven_.leg.method = &method;
    if (job.bytes) released_ = course_.keeping.before_last_piece(*job.bytes);
  }

  Driven run() {
    while (turn()) {
    }
    const std::chrono::duration<double> elapsed = Clock::now() - start_;
    Leg& leg = driven_.leg;
    leg.bytes = driven_.progress.moved;
    leg.calls = driven_.progress.calls;
    leg.seconds = elapsed.count();
    leg.ending = driven_.progress.ending;
    leg.error = driven_.progress.error;
    leg.copies_per_byte = engine_->copies_per_byte();
    leg.notes = engine_->notes();
    if (waiter_.discarded() > 0) {
      leg.notes.push_back(std::to_string(waiter_.discarded()) +
                          " bytes that the peer sent back were thrown away");
    }
    return std::move(driven_);
  }

 private:
  Progress& progress() { return driven_.progress; }

  // False when it is over.
  bool turn() {
    const Bytes moved = course_.moved + progress().moved;
    const Bytes due = course_.pace.allowance(moved, Clock::now());
    if (due == 0) return wait_for_pace(moved);
    if (waiter_.stop_requested()) return interrupted();
    course_.keeping.look();
    if (progress().moved >= released_) return settle();
    course_.reservation.keep_ahead(moved, course_.expected);
    const Bytes before = progress().moved;
    progress() = engine_->advance(std::min(due, most_per_turn()));
    if (progress().moved > before) made_progress();
    if (progress().ending != Ending::paused) return false;
    return wait(progress().moved > before);
  }

  [[nodiscard]] Bytes most_per_turn() const {
    const Bytes watched = course_.body.observers.empty() ? everything : observed_turn;
    const Bytes leased = course_.keeping.has_lease() ? Keeping::longest_turn : everything;
    const Bytes released = released_ - driven_.progress.moved;
    return std::min({watched, leased, released, course_.reservation.turn()});
  }

  void made_progress() {
    waiter_.progressed();
    for (const Observer& observer : course_.body.observers) {
      observer(course_.moved + course_.holes + progress().moved);
    }
  }

  // All but the last bytes are on their way: they go once the peer has these and the sources are
  // what they were.
  bool settle() {
    if (!waiter_.acknowledged()) ++driven_.leg.waits;
    const Woken woken = waiter_.wait_acknowledged();
    if (woken != Woken::ready) return went_on(woken);
    const auto change = course_.keeping.changed();
    if (!change) return failed(change.error());
    released_ = everything;
    if (!*change) return true;
    driven_.change = **change;
    progress().ending = Ending::paused;
    return false;
  }

  bool wait_for_pace(Bytes moved) {
    progress().ending = Ending::paused;
    waiter_.progressed();  // this silence is ours
    const Woken woken = waiter_.wait_until(course_.pace.next(moved));
    ++driven_.leg.waits;
    waiter_.progressed();
    if (woken == Woken::cannot_wait) return failed(*waiter_.trouble());
    return woken == Woken::stopped ? interrupted() : true;
  }

  bool wait(bool moved) {
    idle_turns_ = moved ? 0 : idle_turns_ + 1;
    const Wait what = progress().wait;
    if (what != Wait::nothing) ++driven_.leg.waits;
    Woken woken = waiter_.wait(what);
    if (woken == Woken::ready && idle_turns_ > idle_turns_believed)
      woken = waiter_.wait(Wait::timer);
    return went_on(woken);
  }

  // False, and the leg has its ending, where the wait is the end of it.
  bool went_on(Woken woken) {
    switch (woken) {
      case Woken::ready:
        return true;
      case Woken::stopped:
        return interrupted();
      case Woken::silent:
        return failed(fail("poll", ETIMEDOUT).error());
      case Woken::cannot_wait:
        return failed(*waiter_.trouble());
      case Woken::destination_gone:
        break;
    }
    return failed(fail("poll", EPIPE).error());
  }

  bool interrupted() {
    progress().ending = Ending::paused;
    driven_.interrupted = true;
    return false;
  }

  bool failed(const Error& error) {
    progress().ending = Ending::failed;
    progress().error = error;
    return false;
  }

  Course& course_;
  std::unique_ptr<Engine> engine_;
  Waiter waiter_;
  Clock::time_point start_;
  Driven driven_;
  int idle_turns_ = 0;
  Bytes released_ = everything;  // what may move before the sources are looked at again
};

}  // namespace

Driven drive(const Method& method, const Job& job, Course& course) {
  return Drive{method, job, course}.run();
}

}  // namespace headrace
