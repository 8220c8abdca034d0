#include "transfer/drive.hpp"

#include "transfer/head.hpp"
#include "transfer/peer.hpp"

namespace headrace {
namespace {

// With somebody watching, a turn is short enough for a display to move on a slow disk too.
constexpr Bytes observed_turn = 8 * mebibyte;
// Turns in a row that moved nothing although the poll called both ends ready. From here on a tick
// is waited between them, so that no disagreement between the two becomes a busy loop.
constexpr int idle_turns_believed = 2;
// Where there is nothing to poll for: soon enough not to be felt, seldom enough not to burn a core.
constexpr std::chrono::milliseconds tick{1};

Need next_tick() { return {.what = Need::What::tick, .when = Clock::now() + tick}; }

Need need_of(Wait wait) {
  switch (wait) {
    case Wait::nothing:
      return {.what = Need::What::turn};
    case Wait::source_readable:
      return {.what = Need::What::source_readable};
    case Wait::destination_writable:
      return {.what = Need::What::destination_writable};
    case Wait::timer:
      break;
  }
  return next_tick();
}

}  // namespace

Drive::Drive(const Method& method, std::unique_ptr<Engine> engine, const Job& job, Course& course)
    : course_(course), job_(job), engine_(std::move(engine)) {
  driven_.leg.method = &method;
  if (job.bytes) released_ = course.keeping.before_last_piece(*job.bytes);
}

Need Drive::turn(Bytes budget) {
  if (over_) return {};
  if (std::exchange(owes_tick_, false)) return next_tick();
  const Bytes due = course_.pace.allowance(course_.report.bytes, Clock::now());
  if (due == 0) return wait_for_pace();
  if (course_.stop_requested()) return interrupted();
  if (budget == 0) return {.what = Need::What::turn};
  course_.keeping.look();
  if (progress().moved >= released_) {
    if (const auto need = settle()) return *need;
  }
  if (const auto need = send_head_first()) return *need;
  course_.sink.reservation().keep_ahead(course_.report.bytes, course_.report.expected);
  const Bytes before = progress().moved;
  advance(std::min({due, budget, most_per_turn()}));
  if (progress().ending == Ending::failed) return failed(*progress().error);
  if (progress().ending != Ending::paused) return ended(progress().ending);
  return next_need(progress().moved > before);
}

Bytes Drive::most_per_turn() const {
  const Bytes watched = course_.body.observers.empty() ? everything : observed_turn;
  const Bytes leased = course_.keeping.has_lease() ? Keeping::longest_turn : everything;
  const Bytes released = released_ - driven_.progress.moved;
  return std::min({watched, leased, released, course_.sink.reservation().turn()});
}

// The report is exact after each turn.
void Drive::advance(Bytes budget) {
  const Progress before = progress();
  progress() = engine_->advance(budget);
  course_.report.bytes += progress().moved - before.moved;
  course_.report.stranded += progress().stranded - before.stranded;
  course_.head_sent(progress().head - before.head);
  if (progress().moved > before.moved) course_.tell_observers();
}

// All but the last bytes are on their way: they go once the peer has these and the sources are
// what they were. Absent: they may.
std::optional<Need> Drive::settle() {
  if (outstanding(job_).value_or(0) > 0) {
    if (!std::exchange(settling_, true)) ++driven_.leg.waits;
    return Need{.what = Need::What::acknowledged,
                .when = *back_off_.next(Clock::time_point::max())};
  }
  const auto change = course_.keeping.changed();
  if (!change) return failed(change.error());
  released_ = everything;
  if (!*change) return std::nullopt;
  driven_.change = **change;
  return ended(Ending::paused);
}

// Absent: there is none left, or the engine sends it.
std::optional<Need> Drive::send_head_first() {
  if (course_.head.empty() || method().sends_head) return std::nullopt;
  // Where nobody knows whether a byte will follow, a packet that waits for it may wait in vain.
  const auto sent = send_head(course_, job_.bytes.value_or(0) > 0);
  if (!sent) return failed(sent.error());
  if (*sent) return std::nullopt;
  progress().ending = Ending::paused;
  ++driven_.leg.waits;
  return Need{.what = Need::What::destination_writable};
}

Need Drive::wait_for_pace() {
  progress().ending = Ending::paused;
  ++driven_.leg.waits;
  return {.what = Need::What::time, .when = course_.pace.next(course_.report.bytes)};
}

Need Drive::next_need(bool moved) {
  idle_turns_ = moved ? 0 : idle_turns_ + 1;
  const Wait wait = progress().wait;
  if (wait != Wait::nothing) ++driven_.leg.waits;
  owes_tick_ = idle_turns_ > idle_turns_believed && wait != Wait::timer;
  return need_of(wait);
}

void Drive::woken(Woken woken, const std::optional<Error>& trouble) {
  if (over_ || woken == Woken::ready) return;
  const auto error = failure_of(woken, trouble);
  if (error) {
    failed(*error);
  } else if (woken == Woken::stopped) {
    interrupted();
  } else {
    driven_.answered = true;
    ended(Ending::paused);
  }
}

Need Drive::ended(Ending ending) {
  progress().ending = ending;
  over_ = true;
  return {};
}

Need Drive::interrupted() {
  driven_.interrupted = true;
  return ended(Ending::paused);
}

// A peer that answered and broke off was not silent: its answer is still there to be read.
Need Drive::failed(const Error& error) {
  const bool listens =
      course_.options.replies == Replies::end_it && is_socket(course_.report.destination.kind);
  if (listens) {
    const auto said = listen_to_peer(course_.destination.descriptor);
    driven_.answered = said && *said == Said::something;
  }
  progress().error = error;
  return ended(Ending::failed);
}

Driven Drive::finish() {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  Leg& leg = driven_.leg;
  leg.bytes = progress().moved;
  leg.calls = progress().calls;
  leg.seconds = elapsed.count();
  leg.ending = progress().ending;
  leg.error = progress().error;
  leg.copies_per_byte = engine_->copies_per_byte();
  leg.notes = engine_->notes();
  return std::move(driven_);
}

}  // namespace headrace
