#include "transfer/task.hpp"

#include <algorithm>
#include <iterator>

#include "transfer/head.hpp"
#include "transfer/source_end.hpp"

namespace headrace {

Task::Task(const Body& body, Plain destination, const Options& options, Known known)
    : Task(body, destination, options, known,
           known.destination != nullptr ? Result<Facts>{*known.destination}
                                        : probe(destination.descriptor, options.destination_name)) {
}

Task::Task(const Body& body, Plain destination, const Options& options, Known known,
           Result<Facts> facts)
    : course_(body, destination, facts ? std::move(*facts) : Facts{}, options), known_(known) {
  part_.job.destination = destination;
  part_.job.destination_facts.kind = course_.report.destination.kind;
  if (facts) return;
  not_started_ = facts.error();
  stage_ = Stage::over;
}

Need Task::turn(Bytes budget) {
  const Bytes start = done();
  while (stage_ != Stage::over) {
    const Bytes spent = std::min(done() - start, budget);
    if (const auto need = step(budget - spent)) return *need;
  }
  return {};
}

// Absent: the next step can be taken at once.
std::optional<Need> Task::step(Bytes budget) {
  switch (stage_) {
    case Stage::pieces:
      next_piece();
      return std::nullopt;
    case Stage::passage:
      return pass(budget);
    case Stage::head:
      return send_rest_of_head();
    case Stage::over:
      break;
  }
  return std::nullopt;
}

bool Task::limit_reached() const { return course_.body.limit && done() >= *course_.body.limit; }

void Task::next_piece() {
  const bool none_left = next_ == course_.body.pieces.size() || (next_ > 0 && limit_reached());
  if (!course_.goes_on()) {
    end();
  } else if (none_left) {
    stage_ = Stage::head;
  } else {
    begin_piece(course_.body.pieces[next_++]);
  }
}

void Task::begin_piece(const Piece& piece) {
  if (const auto* const memory = std::get_if<Memory>(&piece.source)) {
    part_ = part_of(*memory, course_.destination, course_.report.destination, course_.options);
  } else if (!read_source(piece)) {
    return;
  }
  passage_.emplace(piece, part_, course_.body.taps.empty() ? nullptr : &tap_, course_);
  stage_ = Stage::passage;
}

// False where the source cannot be asked: nothing is started, or the transfer has failed.
bool Task::read_source(const Piece& piece) {
  const DescriptorRef source = descriptor_of(piece);
  const bool is_known = known_.source != nullptr && (!first_.valid() || source == first_);
  const auto facts =
      is_known ? Result<Facts>{*known_.source} : probe(source, course_.options.source_name);
  if (!facts && next_ == 1) not_started_ = facts.error();
  if (!facts) {
    course_.fail_with(facts.error());
    return false;
  }
  if (!first_.valid()) set_source(source, *facts);
  part_ = part_of(piece, course_.destination, *facts, course_.report.destination, course_.options);
  return true;
}

void Task::set_source(DescriptorRef source, const Facts& facts) {
  first_ = source;
  Report& report = course_.report;
  report.source = facts;
  if (report.congestion.in_force.empty()) report.congestion.in_force = facts.congestion;
}

std::optional<Need> Task::pass(Bytes budget) {
  const Need need = passage_->turn(budget);
  if (need.what != Need::What::over) return need;
  passage_->end();
  passage_.reset();
  stage_ = Stage::pieces;
  return std::nullopt;
}

// A body without bytes, or one that nobody knew would have none.
std::optional<Need> Task::send_rest_of_head() {
  if (course_.goes_on() && course_.stop_requested()) course_.report.outcome = Outcome::interrupted;
  if (course_.goes_on()) {
    const auto sent = send_head(course_, false);
    if (course_.succeeded(sent) && !*sent) return Need{.what = Need::What::destination_writable};
  }
  end();
  return std::nullopt;
}

void Task::woken(Woken woken, const std::optional<Error>& trouble) {
  if (woken == Woken::ready || stage_ == Stage::over) return;
  if (passage_) {
    passage_->woken(woken, trouble);
    return;
  }
  const auto error = failure_of(woken, trouble);
  if (error) course_.fail_with(*error);
  if (woken == Woken::stopped) course_.report.outcome = Outcome::interrupted;
  if (woken == Woken::answered) course_.report.outcome = Outcome::answered_early;
}

bool Task::sleeps_on_disk() const {
  if (passage_) return passage_->sleeps_on_disk();
  if (stage_ != Stage::pieces || next_ == course_.body.pieces.size()) return false;
  return descriptor_of(course_.body.pieces[next_]).valid();
}

void Task::end() {
  end_destination();
  judge_sources();
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  course_.report.seconds = elapsed.count();
  stage_ = Stage::over;
}

void Task::end_destination() {
  Report& report = course_.report;
  Sink& sink = course_.sink;
  report.holes = sink.holes();
  // Nothing came and nothing was refused: then the new content is empty.
  if (course_.goes_on()) course_.succeeded(sink.empty(done()));
  const auto ended = sink.end(done());
  if (course_.goes_on()) {
    course_.succeeded(ended);
  } else if (!ended) {  // what ended it stays what is told first
    report.notes.push_back("ending the destination: " + std::string(ended.error().call) + ": " +
                           ended.error().code.message());
  }
  const auto lowest = class_of(report);
  if (lowest && *lowest > PathClass::user) report.shared = sink.shared(done());
}

void Task::judge_sources() {
  Report& report = course_.report;
  if (course_.goes_on() || report.outcome == Outcome::source_changed) {
    const auto change = course_.keeping.changed_at_end();
    if (course_.succeeded(change) && *change) source_changed(**change, report);
  }
  report.evidence = course_.keeping.evidence();
  std::ranges::copy(course_.keeping.notes(), std::back_inserter(report.notes));
}

Result<Report> Task::finish() {
  woken(Woken::stopped);
  turn(0);
  if (not_started_) return std::unexpected(*not_started_);
  return std::move(course_.report);
}

}  // namespace headrace
