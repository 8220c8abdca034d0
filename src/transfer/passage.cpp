#include "transfer/passage.hpp"

#include <unistd.h>

#include <algorithm>

#include "methods/support/reasons.hpp"
#include "sys/files.hpp"
#include "transfer/confirm_end.hpp"
#include "transfer/legs.hpp"
#include "transfer/memory_engine.hpp"
#include "transfer/overlap.hpp"
#include "transfer/piece_plan.hpp"
#include "transfer/source_end.hpp"

namespace headrace {
namespace {

void advance(Job& job, Bytes bytes) {
  if (job.offset) *job.offset += bytes;
  if (job.bytes) *job.bytes -= bytes;
}

// No descriptor is read after it; behind a limit nobody knows.
bool is_last(const Piece& piece, const Body& body) {
  const auto* const end = body.pieces.data() + body.pieces.size();
  return body.limit || std::none_of(&piece + 1, end, [](const Piece& later) {
           return std::holds_alternative<Plain>(later.source);
         });
}

std::unique_ptr<Engine> engine_of(const Piece& piece, const Method& method, const Job& job) {
  if (const auto* const memory = std::get_if<Memory>(&piece.source)) {
    return std::make_unique<MemoryEngine>(*memory, job);
  }
  return piece.only_way ? piece.only_way->start(job) : method.start(job);
}

}  // namespace

Passage::Passage(const Piece& piece, Part& part, const Tap* tap, Course& course)
    : piece_(piece), part_(part), course_(course), before_(course.done()) {
  Job& job = part_.job;
  const bool length_known = job.bytes.has_value();  // a limit alone promises nothing
  if (course_.body.limit) job.bytes = least(job.bytes, *course_.body.limit - before_);
  job.tap = tap;
  wanted_ = length_known ? job.bytes.value_or(0) : 0;
  expect(length_known ? job.bytes : std::nullopt);
  if (part_.missing > 0) {
    course_.report.notes.push_back("the range reaches " + std::to_string(part_.missing) +
                                   " bytes beyond the end of the source");
  }
  overlaps_ = ranges_overlap(job);
  if (overlaps_) course_.refuse(overlapping_ranges);
  over_ = overlaps_ || !make_ready();
}

// One piece of unknown length makes the whole unknown.
void Passage::expect(std::optional<Bytes> bytes) {
  course_.length_known = course_.length_known && bytes;
  auto& expected = course_.report.expected;
  if (course_.length_known) expected = expected.value_or(0) + *bytes;
  if (!course_.length_known) expected.reset();
}

// Blocks reserved for holes would be no holes.
void Passage::leave_reservation() {
  const Facts& source = part_.job.source_facts;
  const Sparse sparse = course_.options.sparse;
  const bool holes =
      sparse == Sparse::always || (sparse == Sparse::automatic && source.allocated < source.size);
  if (holes) course_.sink.reservation().forgo();
}

Plan Passage::plan_or_clone() {
  Plan plan = plan_of(piece_, part_.job, course_);
  if (!plan.clones_source || course_.keeping.clone_source(part_.job)) return plan;
  part_.job.source_facts.may_clone = false;
  return plan_of(piece_, part_.job, course_);
}

bool Passage::make_ready() {
  leave_reservation();
  plan_ = plan_or_clone();
  course_.promise(plan_.contract);
  Report& report = course_.report;
  report.refused.insert(report.refused.end(), plan_.refused.begin(), plan_.refused.end());
  if (plan_.usable.empty()) return true;
  const auto kept = course_.keeping.begin(plan_.contract, part_.job, course_.options.source_path,
                                          is_last(piece_, course_.body));
  return course_.succeeded(kept) && course_.succeeded(make_room());
}

// With every method allowed somebody will go on. Otherwise all may yet be refused when tried,
// and a refusal leaves old content alone. Space that is required is asked for before that goes,
// and again after it, since it takes its blocks with it.
Result<void> Passage::make_room() {
  const auto& expected = course_.report.expected;
  auto claimed = course_.sink.reservation().claim(expected);
  if (!claimed || course_.restricted()) return claimed;
  const auto emptied = course_.sink.empty(0);
  return emptied ? course_.sink.reservation().claim(expected) : emptied;
}

Need Passage::turn(Bytes budget) {
  const Bytes start = course_.done();
  for (;;) {
    if (!drive_ && !next_leg()) return {};
    const Bytes spent = std::min(course_.done() - start, budget);
    const Need need = drive_->turn(budget - spent);
    if (need.what != Need::What::over) return need;
    end_leg();
  }
}

void Passage::woken(Woken woken, const std::optional<Error>& trouble) {
  drive_->woken(woken, trouble);  // only a leg needs to wait
}

bool Passage::sleeps_on_disk() const {
  return drive_ ? drive_->method().sleeps_on_disk : std::holds_alternative<Plain>(piece_.source);
}

// The next method goes on where the last one was refused. False: the piece is over.
bool Passage::next_leg() {
  while (!over_ && !drive_) {
    if (extents_) {
      if (!next_extent()) end_extents();
    } else if (method_ < plan_.usable.size()) {
      begin_method(*plan_.usable[method_]);
    } else {
      // With every method allowed, the last one's errno is no refusal of a path but a failure.
      const bool refused = course_.restricted() || plan_.usable.empty();
      course_.report.outcome = refused ? Outcome::refused : Outcome::failed;
      over_ = true;
    }
  }
  return !over_;
}

// A clone keeps its holes without us.
void Passage::begin_method(const Method& method) {
  Job& job = part_.job;
  const bool whole = method.path_class == PathClass::shared || !course_.sink.may_leave_holes(job);
  if (whole) {
    start(method, job);
    return;
  }
  const Bytes block_start = course_.sink.block_start(job, course_.done());
  extents_.emplace(job.source.descriptor, course_.options.sparse, block_start);
  last_take_over_ = true;
}

// Until a run of data stands ready, holes are left; false where the walk is over.
bool Passage::next_extent() {
  Job& job = part_.job;
  while (*job.bytes > 0 && course_.goes_on()) {
    if (course_.stop_requested()) {  // between holes nobody else looks
      course_.report.outcome = Outcome::interrupted;
      break;
    }
    course_.keeping.look();
    const Extent extent = extents_->next(*job.offset, *job.offset + *job.bytes);
    if (extent.hole && leave_hole(extent.bytes)) continue;
    data_ = job;
    data_.bytes = extent.bytes;
    start(*plan_.usable[method_], data_);
    return true;
  }
  return false;
}

// True when there is no more to be done about these bytes: a hole, or a failure.
bool Passage::leave_hole(Bytes bytes) {
  const auto made = course_.sink.leave_hole(bytes);
  if (!course_.succeeded(made)) return true;
  if (!*made) return false;
  advance(part_.job, bytes);
  course_.tell_observers();
  return true;
}

void Passage::start(const Method& method, Job& job) {
  job.head = method.sends_head ? course_.head : std::span<const std::byte>{};
  drive_.emplace(method, engine_of(piece_, method, job), job, course_);
}

void Passage::end_leg() {
  Driven driven = drive_->finish();
  drive_.reset();
  if (!extents_) {
    end_method(take(std::move(driven), part_.job));
    return;
  }
  const Bytes extent = *data_.bytes;
  last_take_over_ = take(std::move(driven), data_);
  advance(part_.job, extent - *data_.bytes);
  if (*data_.bytes > 0) end_extents();
}

void Passage::end_method(bool over) {
  over_ = over;
  ++method_;
}

void Passage::end_extents() {
  if (extents_->read() > 0) {
    course_.report.notes.push_back(std::to_string(extents_->read()) +
                                   " bytes were read to find zeros");
  }
  extents_.reset();
  end_method(last_take_over_);
}

// True when the job is over; else it is what is left of it.
bool Passage::take(Driven driven, Job& job) {
  Report& report = course_.report;
  Progress& progress = driven.progress;
  note_exposure(*driven.leg.method, progress.moved);
  advance(job, progress.moved);
  if (ends_too_early(driven, job)) {
    progress.ending = driven.leg.ending = Ending::refused;
    progress.reason = false_end;
  }
  const bool ended = progress.ending == Ending::refused && !progress.error && at_end(job);
  if (ended) {
    driven.leg.ending = Ending::finished;
    driven.leg.notes.emplace_back("end confirmed by a read");
  } else if (progress.ending == Ending::refused) {
    report.refused.push_back(refusal_of(driven));
  }
  if (progress.ending == Ending::failed) report.outcome = Outcome::failed;
  if (driven.interrupted) report.outcome = Outcome::interrupted;
  if (driven.answered) report.outcome = Outcome::answered_early;
  if (driven.change) source_changed(*driven.change, report);
  driven.leg.excepted = piece_.excepted;
  add_leg(report.legs, std::move(driven.leg));
  return ended || progress.ending != Ending::refused;
}

void Passage::note_exposure(const Method& method, Bytes moved) {
  const Facts& destination = part_.job.destination_facts;
  const Facts& source = part_.job.source_facts;
  const bool held_here = destination.kind == Kind::pipe || destination.peer_local;
  const bool may_change = is_file(source.kind) && !source.sealed;
  if (moved > 0 && method.path_class == PathClass::kernel && may_change && held_here) {
    course_.report.peer_memory = true;
  }
}

void Passage::end() {
  if (overlaps_) return;
  const Bytes moved = course_.done() - before_;
  if (part_.moves_position) {
    const auto position = static_cast<std::int64_t>(part_.job.source_facts.position + moved);
    course_.succeeded(sys::lseek(descriptor_of(piece_), position, SEEK_SET));
  }
  judge_source(part_, part_.job.source_facts, wanted_, moved, course_.report);
}

}  // namespace headrace
