#include "headrace/transfer.hpp"

#include <unistd.h>

#include <cerrno>

#include "methods/support/reasons.hpp"
#include "sys/files.hpp"
#include "transfer/confirm_end.hpp"
#include "transfer/cpu_meter.hpp"
#include "transfer/drive.hpp"
#include "transfer/part.hpp"
#include "transfer/sigpipe_mask.hpp"

namespace headrace {
namespace {

class Transfer {
 public:
  Transfer(const Body& body, Plain destination, Facts facts, const Options& options)
      : body_(body),
        destination_(destination),
        options_(options),
        reservation_(destination.descriptor, facts, options.reserve),
        course_{.body = body,
                .options = options,
                .pace = Pace{body.rate, Clock::now()},
                .reservation = reservation_,
                .expected = {}} {
    report_.destination = std::move(facts);
    report_.wishes = options.wishes;
    report_.contract = options.wishes.contract.value_or(options.fallback_contract);
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
    if (report_.bytes > 0 || report_.outcome == Outcome::complete) empty_destination(report_.bytes);
    reservation_.trim();
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

  [[nodiscard]] bool limit_reached() const { return body_.limit && report_.bytes >= *body_.limit; }

  void move(const Piece& piece, const Facts& source) {
    Part part = part_of(piece, destination_, source, report_.destination, options_);
    const bool length_known = part.job.bytes.has_value();  // a limit alone promises nothing
    if (body_.limit) part.job.bytes = least(part.job.bytes, *body_.limit - report_.bytes);
    const Bytes wanted = length_known ? part.job.bytes.value_or(0) : 0;
    expect(length_known ? part.job.bytes : std::nullopt);
    if (part.missing > 0) note_missing(part);
    const Bytes before = report_.bytes;
    carry_out(part.job);
    const Bytes moved = report_.bytes - before;
    if (part.moves_position) set_position(piece.source.descriptor, source.position + moved);
    if (report_.outcome == Outcome::complete) compare(part, source, wanted, moved);
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

  // The next method goes on where the last one was refused, and leaves a leg behind.
  void carry_out(Job& job) {
    const Plan plan = make_plan(all_methods(), job.source_facts, job.destination_facts,
                                options_.wishes, options_.fallback_contract);
    // Several pieces: the weakest of their contracts is the one that holds for the whole.
    report_.contract =
        report_.legs.empty() ? plan.contract : std::min(report_.contract, plan.contract);
    report_.refused.insert(report_.refused.end(), plan.refused.begin(), plan.refused.end());
    // With every method allowed somebody will go on. Otherwise all may yet be refused when tried,
    // and a refusal leaves old content alone.
    if (!plan.usable.empty() && !restricted() && !empty_destination(0)) return;
    for (const Method* method : plan.usable) {
      Driven driven = drive(*method, job, course_);
      const bool over = take(driven, job);
      if (over) return;
    }
    // With every method allowed, the last one's errno is no refusal of a path but a failure.
    const bool tried = !plan.usable.empty();
    report_.outcome = restricted() || !tried ? Outcome::refused : Outcome::failed;
  }

  [[nodiscard]] bool restricted() const {
    return !options_.wishes.methods.empty() || options_.wishes.require;
  }

  // Once: what stands in a regular destination behind the first `kept` new bytes goes.
  bool empty_destination(Bytes kept) {
    if (emptied_ || !options_.truncate || report_.destination.kind != Kind::regular) return true;
    emptied_ = true;
    const auto cut = sys::ftruncate(destination_.descriptor, report_.destination.position + kept);
    if (!cut) fail_with(cut.error());
    return cut.has_value();
  }

  // True when the piece is over; else `job` is what is left of it.
  bool take(Driven& driven, Job& job) {
    Progress& progress = driven.progress;
    report_.bytes += progress.moved;
    course_.moved = report_.bytes;
    report_.stranded += progress.stranded;
    note_exposure(*driven.leg.method, job, progress.moved);
    if (job.offset) *job.offset += progress.moved;
    if (job.bytes) *job.bytes -= progress.moved;
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
    report_.legs.push_back(std::move(driven.leg));
    return ended || progress.ending != Ending::refused;
  }

  // A fast call that answers 0 in the middle is believed no more than one that begins with it.
  static bool ends_too_early(const Driven& driven, const Job& job) {
    const bool wants_more = !job.bytes || *job.bytes > 0;
    return driven.progress.ending == Ending::finished && wants_more &&
           driven.leg.method->path_class > PathClass::user && !at_end(job);
  }

  static Refusal refusal_of(const Driven& driven) {
    const Progress& progress = driven.progress;
    std::string detail;
    if (progress.error) {
      detail = std::string(progress.error->call) + ": " + progress.error->code.message();
    }
    return {.method = driven.leg.method,
            .reason = progress.reason.value_or(refused_when_tried),
            .detail = std::move(detail)};
  }

  void note_exposure(const Method& method, const Job& job, Bytes moved) {
    const Facts& destination = job.destination_facts;
    const bool held_here = destination.kind == Kind::pipe || destination.peer_local;
    if (moved > 0 && method.path_class == PathClass::kernel && is_file(job.source_facts.kind) &&
        held_here) {
      report_.peer_memory = true;
    }
  }

  // What the source promised against what came; and did it grow meanwhile?
  void compare(const Part& part, const Facts& before, Bytes wanted, Bytes moved) {
    if (moved < wanted) {
      report_.notes.push_back("the source ended after " + std::to_string(moved) + " of " +
                              std::to_string(wanted) + " bytes");
      if (part.promised) report_.outcome = Outcome::source_changed;
      return;
    }
    if (!part.promised || before.kind != Kind::regular) return;
    const auto now = sys::fstat(part.job.source.descriptor);
    const Bytes size = now ? static_cast<Bytes>(now->st_size) : 0;
    if (size <= before.size) return;
    report_.notes.push_back("the source grew by " + std::to_string(size - before.size) +
                            " bytes meanwhile; the bytes it had at the start were moved");
  }

  void set_position(DescriptorRef source, Bytes position) {
    const auto placed = sys::lseek(source, static_cast<std::int64_t>(position), SEEK_SET);
    if (!placed) fail_with(placed.error());
  }

  // A failure outside any leg.
  void fail_with(const Error& error) {
    report_.outcome = Outcome::failed;
    report_.error = error;
  }

  const Body& body_;
  Plain destination_;
  const Options& options_;
  Reservation reservation_;
  Course course_;
  Report report_;
  bool emptied_ = false;
  bool length_known_ = true;
};

}  // namespace

Result<Report> transfer(const Body& body, Plain destination, const Options& options) {
  auto facts = probe(destination.descriptor, options.destination_name);
  if (!facts) return std::unexpected(facts.error());
  return Transfer{body, destination, std::move(*facts), options}.run();
}

}  // namespace headrace
