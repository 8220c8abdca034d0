#include "headrace/transfer.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "methods/support/reasons.hpp"
#include "sys/files.hpp"
#include "transfer/confirm_end.hpp"
#include "transfer/cpu_meter.hpp"
#include "transfer/drive.hpp"
#include "transfer/extents.hpp"
#include "transfer/legs.hpp"
#include "transfer/overlap.hpp"
#include "transfer/part.hpp"
#include "transfer/sigpipe_mask.hpp"
#include "transfer/sink.hpp"
#include "transfer/source_end.hpp"

namespace headrace {
namespace {

class Transfer {
 public:
  Transfer(const Body& body, Plain destination, Facts facts, const Options& options)
      : body_(body),
        destination_(destination),
        options_(options),
        report_{.destination = std::move(facts), .wishes = options.wishes} {
    report_.contract = wished_contract();
    report_.congestion.in_force = report_.destination.congestion;
  }

  Result<Report> run() {
    const SigpipeMask mask;
    const CpuMeter cpu;
    const auto start = Clock::now();
    for (const Piece& piece : body_.pieces) {
      auto facts = probe(piece.source.descriptor, options_.source_name);
      const bool first = &piece == body_.pieces.data();
      if (!facts && first) return std::unexpected(facts.error());
      if (!facts) {
        fail_with(facts.error());
        break;
      }
      if (first) set_source(*facts);
      move(piece, *facts);
      if (report_.outcome != Outcome::complete || limit_reached()) break;
    }
    end_destination();
    judge_sources();
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    const auto spent = cpu.spent();
    report_.seconds = elapsed.count();
    report_.cpu_user = spent.user;
    report_.cpu_system = spent.system;
    return std::move(report_);
  }

 private:
  void set_source(const Facts& facts) {
    report_.source = facts;
    if (report_.congestion.in_force.empty()) report_.congestion.in_force = facts.congestion;
  }

  // Of the destination: moved, and holes that needed no moving.
  [[nodiscard]] Bytes done() const { return report_.bytes + sink_.holes(); }
  [[nodiscard]] bool limit_reached() const { return body_.limit && done() >= *body_.limit; }
  [[nodiscard]] Contract wished_contract() const {
    return options_.wishes.contract.value_or(options_.fallback_contract);
  }
  [[nodiscard]] bool restricted() const {
    return !options_.wishes.methods.empty() || options_.wishes.require;
  }

  void move(const Piece& piece, const Facts& source) {
    Part part = part_of(piece, destination_, source, report_.destination, options_);
    const bool length_known = part.job.bytes.has_value();  // a limit alone promises nothing
    if (body_.limit) part.job.bytes = least(part.job.bytes, *body_.limit - done());
    if (!body_.taps.empty()) part.job.tap = &tap_;
    const Bytes wanted = length_known ? part.job.bytes.value_or(0) : 0;
    expect(length_known ? part.job.bytes : std::nullopt);
    if (part.missing > 0) note_missing(part);
    if (ranges_overlap(part.job)) {
      refuse(overlapping_ranges);
      return;
    }
    // Blocks reserved for holes would be no holes.
    const bool holes = options_.sparse == Sparse::always ||
                       (options_.sparse == Sparse::automatic && source.allocated < source.size);
    if (holes) sink_.reservation().forgo();
    const Bytes before = done();
    carry_out(part.job);
    const Bytes moved = done() - before;
    if (part.moves_position) set_position(piece.source.descriptor, source.position + moved);
    judge_source(part, source, wanted, moved, report_);
  }

  void note_missing(const Part& part) {
    report_.notes.push_back("the range reaches " + std::to_string(part.missing) +
                            " bytes beyond the end of the source");
  }

  // One piece of unknown length makes the whole unknown.
  void expect(std::optional<Bytes> bytes) {
    length_known_ = length_known_ && bytes;
    if (length_known_) report_.expected = report_.expected.value_or(0) + *bytes;
    if (!length_known_) report_.expected.reset();
    course_.expected = report_.expected;
  }

  [[nodiscard]] Plan plan_for(const Job& job) const {
    return make_plan(all_methods(), job.source_facts, job.destination_facts, options_.wishes,
                     options_.fallback_contract, body_.opaque);
  }

  Plan plan_or_clone(Job& job) {
    Plan plan = plan_for(job);
    if (!plan.clones_source || keeping_.clone_source(job)) return plan;
    job.source_facts.may_clone = false;
    return plan_for(job);
  }

  // The next method goes on where the last one was refused, and leaves a leg behind.
  void carry_out(Job& job) {
    const Plan plan = plan_or_clone(job);
    const bool tried = !plan.usable.empty();
    // Several pieces: the weakest of their contracts is the one that holds for the whole.
    report_.contract =
        report_.legs.empty() ? plan.contract : std::min(report_.contract, plan.contract);
    report_.refused.insert(report_.refused.end(), plan.refused.begin(), plan.refused.end());
    if (tried && !succeeded(keeping_.begin(plan.contract, job, options_.source_path))) {
      return;
    }
    if (tried && !succeeded(make_room())) return;
    for (const Method* method : plan.usable) {
      if (move_by(*method, job)) return;
    }
    // With every method allowed, the last one's errno is no refusal of a path but a failure.
    report_.outcome = restricted() || !tried ? Outcome::refused : Outcome::failed;
  }

  // With every method allowed somebody will go on. Otherwise all may yet be refused when tried,
  // and a refusal leaves old content alone. Space that is required is asked for before that goes,
  // and again after it, since it takes its blocks with it.
  Result<void> make_room() {
    auto claimed = sink_.reservation().claim(report_.expected);
    if (!claimed || restricted()) return claimed;
    const auto emptied = sink_.empty(0);
    return emptied ? sink_.reservation().claim(report_.expected) : emptied;
  }

  // True when the piece is over; else `job` is what is left of it.
  bool move_by(const Method& method, Job& job) {
    // A clone keeps its holes without us.
    const bool whole = method.path_class == PathClass::shared || !sink_.may_leave_holes(job);
    if (whole) return take(drive(method, job, course_), job);
    Extents extents(job.source.descriptor, options_.sparse, sink_.block_start(job, done()));
    bool over = true;
    while (*job.bytes > 0 && report_.outcome == Outcome::complete && !stopped()) {
      keeping_.look();
      const Extent extent = extents.next(*job.offset, *job.offset + *job.bytes);
      if (extent.hole && leave_hole(job, extent.bytes)) continue;
      Job data = job;
      data.bytes = extent.bytes;
      over = take(drive(method, data, course_), data);
      advance(job, extent.bytes - *data.bytes);
      if (*data.bytes > 0) break;
    }
    note_scan(extents);
    return over;
  }

  // Between holes nobody else looks.
  bool stopped() {
    const auto* const requested = options_.stop.requested;
    const bool stop = requested != nullptr && requested->load(std::memory_order_relaxed);
    if (stop) report_.outcome = Outcome::interrupted;
    return stop;
  }

  // True when there is no more to be done about these bytes: a hole, or a failure.
  bool leave_hole(Job& job, Bytes bytes) {
    const auto made = sink_.leave_hole(bytes);
    if (!succeeded(made)) return true;
    if (!*made) return false;
    course_.holes = sink_.holes();
    advance(job, bytes);
    for (const Observer& observer : body_.observers) observer(done());
    return true;
  }

  void note_scan(const Extents& extents) {
    if (extents.read() == 0) return;
    report_.notes.push_back(std::to_string(extents.read()) + " bytes were read to find zeros");
  }

  static void advance(Job& job, Bytes bytes) {
    if (job.offset) *job.offset += bytes;
    if (job.bytes) *job.bytes -= bytes;
  }

  // True when the job is over; else it is what is left of it.
  bool take(Driven driven, Job& job) {
    Progress& progress = driven.progress;
    report_.bytes += progress.moved;
    course_.moved = report_.bytes;
    report_.stranded += progress.stranded;
    note_exposure(*driven.leg.method, job, progress.moved);
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
      report_.refused.push_back(refusal_of(driven));
    }
    if (progress.ending == Ending::failed) report_.outcome = Outcome::failed;
    if (driven.interrupted) report_.outcome = Outcome::interrupted;
    if (driven.change) source_changed(*driven.change, report_);
    add_leg(report_.legs, std::move(driven.leg));
    return ended || progress.ending != Ending::refused;
  }

  void note_exposure(const Method& method, const Job& job, Bytes moved) {
    const Facts& destination = job.destination_facts;
    const Facts& source = job.source_facts;
    const bool held_here = destination.kind == Kind::pipe || destination.peer_local;
    const bool may_change = is_file(source.kind) && !source.sealed;
    if (moved > 0 && method.path_class == PathClass::kernel && may_change && held_here) {
      report_.peer_memory = true;
    }
  }

  void end_destination() {
    report_.holes = sink_.holes();
    // Nothing came and nothing was refused: then the new content is empty.
    if (report_.outcome == Outcome::complete) succeeded(sink_.empty(done()));
    const auto ended = sink_.end(done());
    if (report_.outcome == Outcome::complete) {
      succeeded(ended);
    } else if (!ended) {  // what ended it stays what is told first
      report_.notes.push_back("ending the destination: " + std::string(ended.error().call) + ": " +
                              ended.error().code.message());
    }
    const auto lowest = class_of(report_);
    if (lowest && *lowest > PathClass::user) report_.shared = sink_.shared(done());
  }

  void judge_sources() {
    const bool over =
        report_.outcome == Outcome::complete || report_.outcome == Outcome::source_changed;
    if (over) {
      const auto change = keeping_.changed_at_end();
      if (succeeded(change) && *change) source_changed(**change, report_);
    }
    report_.evidence = keeping_.evidence();
    std::ranges::copy(keeping_.notes(), std::back_inserter(report_.notes));
  }

  void set_position(DescriptorRef source, Bytes position) {
    succeeded(sys::lseek(source, static_cast<std::int64_t>(position), SEEK_SET));
  }

  // False, and the transfer has failed outside any leg, where `result` is an error.
  template <class T>
  bool succeeded(const Result<T>& result) {
    if (!result) fail_with(result.error());
    return result.has_value();
  }

  void fail_with(const Error& error) {
    report_.outcome = Outcome::failed;
    report_.error = error;
  }

  void refuse(const Reason& reason) {
    report_.outcome = Outcome::refused;
    report_.refused.push_back({.method = nullptr, .reason = reason, .detail = {}});
  }

  const Body& body_;
  Plain destination_;
  const Options& options_;
  Report report_;
  Sink sink_{destination_, report_.destination, options_};
  Keeping keeping_;
  Course course_{.body = body_,
                 .options = options_,
                 .pace = Pace{body_.rate, Clock::now()},
                 .reservation = sink_.reservation(),
                 .keeping = keeping_,
                 .expected = {}};
  Tap tap_ = [this](std::span<const std::byte> bytes) {
    for (const Tap& tap : body_.taps) tap(bytes);
  };
  bool length_known_ = true;
};

}  // namespace

Result<Report> transfer(const Body& body, Plain destination, const Options& options) {
  auto facts = probe(destination.descriptor, options.destination_name);
  if (!facts) return std::unexpected(facts.error());
  return Transfer{body, destination, std::move(*facts), options}.run();
}

}  // namespace headrace
