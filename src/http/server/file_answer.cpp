#include "http/server/file_answer.hpp"

#include <algorithm>

#include "http/server/answering.hpp"
#include "transfer/reopen.hpp"

namespace headrace::http::server {
namespace {

// Long enough that the calls do not count, short enough for others: a fraction of a millisecond.
constexpr Bytes most_a_turn = mebibyte;

Options options_for(const Configuration& configuration, const std::string& head) {
  Options options;
  options.wishes = configuration.wishes;
  options.fallback_contract = Contract::guarded;
  options.head = std::as_bytes(std::span(head));
  options.copy_limit = configuration.copy_limit;
  return options;
}

Bytes end_of(const Stretch& stretch) { return stretch.offset + stretch.length; }

bool holds(const Stretch& stretch, Bytes offset) {
  return offset >= stretch.offset && offset < end_of(stretch);
}

std::string incomplete(Bytes sent, Bytes length) {
  return "incomplete: " + std::to_string(sent) + " of " + std::to_string(length) + " bytes";
}

std::string why_not(const Report& report) {
  if (!report.refused.empty()) return std::string(report.refused.back().reason.code);
  return std::string(name_of(report.outcome));
}

}  // namespace

// A lease belongs to an open file: one that other transfers use would be given back by them.
FileAnswer::FileAnswer(Connection& connection, std::shared_ptr<CachedFile> file, std::string head,
                       Answer answer)
    : connection_(connection),
      file_(std::move(file)),
      head_(std::move(head)),
      answer_(std::move(answer)),
      options_(options_for(connection.lane().configuration(), head_)),
      facts_(file_->probed()) {
  auto own = reopen(file_->descriptor());
  if (own) own_ = std::move(*own);
  body_ = body_of(answer_, own_.valid() ? own_.ref() : file_->descriptor());
  body_.rate = connection.lane().configuration().limit_rate;
  const auto destination = connection.wire().facts();
  task_.emplace(body_, Plain{connection.wire().socket()}, options_,
                Known{.source = facts_ ? &*facts_ : nullptr,
                      .destination = destination ? *destination : nullptr});
}

Step FileAnswer::advance() {
  Wire& wire = connection_.wire();
  if (apology_) return apology_->advance(wire, connection_.exchange());
  if (!std::exchange(turned_, false)) {
    if (!may_go_on()) return wait();
    // What a client that has gone did not acknowledge it never will.
    if (need_.what == Need::What::acknowledged && wire.hung_up()) {
      task_->woken(Woken::destination_gone);
    }
    wire.writable = false;  // what the loop says from now on is news
    if (would_sleep()) {
      turned_ = true;
      connection_.run([this] { take_turn(); });
      return Step::waits;
    }
    take_turn();
  }
  switch (need_.what) {
    case Need::What::over:
      return finish();
    case Need::What::turn:
      return Step::again;
    default:
      return may_go_on() ? Step::again : wait();
  }
}

void FileAnswer::take_turn() { need_ = task_->turn(budget_); }

bool FileAnswer::may_go_on() const {
  switch (need_.what) {
    case Need::What::over:
    case Need::What::turn:
      return true;
    case Need::What::source_readable:  // files always are
    case Need::What::destination_writable:
      return connection_.wire().writable;
    case Need::What::acknowledged:
      if (connection_.wire().hung_up() || connection_.wire().all_acknowledged()) return true;
      break;
    case Need::What::tick:
    case Need::What::time:
      break;
  }
  return connection_.lane().loop().now() >= need_.when;
}

// Each stretch is looked at once, however many turns it takes; so none goes beyond.
bool FileAnswer::would_sleep() {
  budget_ = most_a_turn;
  if (!task_->sleeps_on_disk()) return false;
  // The first look at a file that was changed just now waits until the clock has moved on.
  if (std::exchange(first_, false) && file_->facts().tag.weak) return true;
  const Stretch next = next_stretch(body_, task_->done(), most_a_turn);
  if (!holds(looked_at_, next.offset)) {
    look_at(next);
  } else {
    budget_ = end_of(looked_at_) - next.offset;
  }
  return next.length > 0 && cold_;
}

// What follows bytes in memory has mostly come with them: then the far end alone tells.
void FileAnswer::look_at(const Stretch& stretch) {
  const bool goes_on =
      !cold_ && stretch.offset == end_of(looked_at_) && stretch.length > 0 && looked_at_.length > 0;
  cold_ = goes_on ? file_->is_cold(end_of(stretch) - 1, 1)
                  : file_->is_cold(stretch.offset, stretch.length);
  looked_at_ = stretch;
}

Step FileAnswer::wait() {
  // On a short way the last acknowledgement is there before a timer could be.
  const bool soon = need_.what == Need::What::acknowledged && quick_looks_ > 0;
  if (soon) {
    --quick_looks_;
    return Step::again;
  }
  auto until = need_.when;
  if (task_->has_lease()) {
    task_->look();
    until = std::min(until, connection_.lane().loop().now() + Keeping::look_every);
  }
  if (until != Clock::time_point::max()) connection_.wake_at(until);
  return Step::waits;
}

Activity::Life FileAnswer::life() const {
  if (!task_) return connection_.wire().acknowledged();
  Life life = connection_.wire().acknowledged(task_->done() + task_->so_far().head_bytes);
  life.ours = life.ours || need_.what == Need::What::time;
  return life;
}

Step FileAnswer::time_out() {
  task_->woken(Woken::silent);
  need_ = task_->turn(0);
  return finish();
}

Step FileAnswer::finish() {
  auto report = task_->finish();
  task_.reset();
  Exchange& exchange = connection_.exchange();
  if (!report) return Step::broken;
  connection_.wire().count_sent(report->bytes + report->head_bytes);
  exchange.path = logged_path(*report);
  exchange.head_bytes = report->head_bytes;
  exchange.bytes = report->bytes;
  if (report->outcome == Outcome::complete && report->bytes == answer_.length) {
    return Step::answered;
  }
  // Nothing has been said yet: that can be said.
  if (report->outcome != Outcome::refused || report->head_bytes > 0) {
    if (!exchange.refusal.empty()) exchange.refusal += "; ";
    exchange.refusal += incomplete(report->bytes, answer_.length);
    return Step::broken;
  }
  exchange.refusal = why_not(*report);
  apology_.emplace(outgoing(connection_, answer_status(500)));
  return apology_->advance(connection_.wire(), exchange);
}

}  // namespace headrace::http::server
