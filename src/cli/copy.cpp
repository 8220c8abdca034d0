#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/copy_options.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/source.hpp"
#include "cli/target.hpp"
#include "sys/files.hpp"
#include "sys/storage.hpp"
#include "transfer/metadata.hpp"
#include "transfer/replacement.hpp"
#include "transfer/source_state.hpp"
#include "transfer/verification.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "copy";

class Copy {
 public:
  Copy(const CopyArguments& arguments, const Stop& stop, Source source)
      : arguments_(arguments),
        stop_(stop),
        source_(std::move(source)),
        progress_(arguments.common.progress, arguments.common.quiet,
                  expected_bytes(source_.facts, arguments.common)) {}

  int run() {
    if (arguments_.destination == "-") return to_standard_output();
    auto destination = find_destination(arguments_.destination, name_inside());
    if (!destination) return obstacle(destination.error());
    if (const auto same = refuse_same_file(*destination, source_.status)) return obstacle(*same);
    if (!report_file_is_free(command, arguments_.common, destination->status)) return status_usage;
    const bool output = destination->own == DescriptorRef{STDOUT_FILENO};
    if (!report_has_a_place(command, arguments_.common, output)) return status_usage;
    const bool is_through = destination->kind == DestinationKind::written_through;
    if (!suits({arguments_.destination, destination->status.st_mode & S_IFMT, !is_through})) {
      return status_usage;
    }
    if (is_through) return through(*destination);
    // Where there is no file yet there is none to write into: it appears when it is complete.
    const bool into_it = arguments_.in_place && destination->kind == DestinationKind::regular;
    return into_it ? in_place(*destination) : replace(std::move(*destination));
  }

 private:
  [[nodiscard]] std::string name_inside() const {
    return arguments_.source == "-" ? "NAME"
                                    : arguments_.source.substr(arguments_.source.rfind('/') + 1);
  }

  static int obstacle(const Obstacle& found) {
    complain_of(command, found);
    return status_failed;
  }

  [[nodiscard]] bool suits(const CopyEnd& destination) const {
    const auto wrong = needs_another_end(arguments_, source_.facts, destination);
    if (wrong) complain(command, *wrong);
    return !wrong;
  }

  int to_standard_output() {
    Target target = standard_output();
    const auto status = sys::fstat(target.descriptor);
    if (!status) {
      complain(command, "write to", target.name, status.error());
      return status_failed;
    }
    if (!suits({target.name, status->st_mode & S_IFMT, false})) return status_usage;
    // A socket or terminal may well be both ends.
    if (S_ISREG(status->st_mode) || S_ISBLK(status->st_mode)) {
      Destination output;
      output.kind = DestinationKind::regular;
      output.path = target.name;
      output.status = *status;
      if (const auto same = refuse_same_file(output, source_.status)) return obstacle(*same);
    }
    return write_to(target);
  }

  int through(const Destination& destination) {
    auto target = open_target_through(command, destination, stop_, arguments_.common.idle_timeout);
    return target ? write_to(*target) : status_of_stop();
  }

  int in_place(const Destination& destination) {
    auto target = open_target_in_place(command, destination);
    if (!target) return status_failed;
    auto report = move(target->descriptor, target->name, target->truncate);
    if (!report) return status_failed;
    if (arguments_.verify) verify_content(target->descriptor, *report);
    if (report->outcome == Outcome::complete) {
      auto kept = keep_metadata(target->descriptor, originals());
      if (kept) {
        add_notes(*report, *kept);
      } else {
        fail(*report, kept.error());
      }
    }
    return end(*target, *report);
  }

  int write_to(Target& target) {
    auto report = move(target.descriptor, target.name, target.truncate);
    return report ? end(target, *report) : status_failed;
  }

  int end(Target& target, Report& report) {
    if (arguments_.durable && report.outcome == Outcome::complete) {
      const auto written = sys::fsync(target.descriptor);
      if (!written) {
        report.outcome = Outcome::failed;
        report.error = written.error();
      }
    }
    close_target(target, report);
    return finish(report);
  }

  [[nodiscard]] Originals originals() const {
    return {.source = source_.status,
            .source_file = source_.descriptor,
            .preserve = preserve_of(arguments_),
            .replaced = {},
            .replaced_list = {}};
  }

  static void add_notes(Report& report, const std::vector<std::string>& notes) {
    report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  }

  // An obstacle met when the bytes had moved.
  void fail(Report& report, const Obstacle& obstacle) {
    report.outcome = Outcome::failed;
    report.error = obstacle.error;
    add_notes(report, {std::string(obstacle.reason.code) + ": " + obstacle.detail});
    progress_.clear();
    complain_of(command, obstacle);
  }

  int replace(Destination destination) {
    const bool had_one = destination.kind == DestinationKind::regular;
    auto replacement =
        Replacement::open(std::move(destination), {.source = source_.status,
                                                   .source_file = source_.descriptor,
                                                   .preserve = preserve_of(arguments_),
                                                   .durable = arguments_.durable});
    if (!replacement) return obstacle(replacement.error());
    auto report = move(replacement->file(), arguments_.destination, false);
    if (!report) return status_failed;
    if (arguments_.verify) verify_content(replacement->file(), *report);
    const bool placed = report->outcome == Outcome::complete && commit(*replacement, *report);
    note_left_behind(*replacement, *report);
    if (placed) return finish(*report);
    return finish(*report, had_one ? fmt::format("'{}' is what it was", arguments_.destination)
                                   : fmt::format("no '{}' was made", arguments_.destination));
  }

  // True when the content is in place, whatever else is wrong.
  bool commit(Replacement& replacement, Report& report) {
    auto committed = replacement.commit();
    if (!committed) {
      fail(report, committed.error());
      return false;
    }
    add_notes(report, committed->notes);
    if (committed->not_durable) fail(report, *committed->not_durable);
    return true;
  }

  void verify_content(DescriptorRef destination, Report& report) const {
    if (report.outcome != Outcome::complete) return;
    const auto& range = arguments_.common.range;
    const Bytes start = range ? range->offset : source_.facts.position;
    verify({.source = source_.descriptor,
            .source_offset = start,
            .destination = destination,
            .destination_offset = 0,
            .bytes = report.bytes + report.holes,
            .source_before = source_before_,
            .source_path = source_path()},
           stop_, report);
  }

  std::optional<Report> move(DescriptorRef destination, const std::string& name, bool truncate) {
    auto facts = probe(destination, name);
    if (!facts) {
      complain(command, "write", name, facts.error());
      return std::nullopt;
    }
    const Options options{.wishes = wishes_of(arguments_, source_.facts),
                          .fallback_contract = fallback_contract(*facts),
                          .idle_timeout = arguments_.common.idle_timeout,
                          .reserve = reserve_of(arguments_, source_.facts, *facts),
                          .sparse = sparse_of(arguments_),
                          .truncate = truncate,
                          .stop = stop_,
                          .source_name = source_.name,
                          .source_path = source_path(),
                          .destination_name = name};
    const Body body = make_body(source_.descriptor, source_.facts, arguments_.common, progress_);
    if (arguments_.verify) look_at_source();
    auto report = transfer(body, Plain{destination}, options);
    if (!report) {
      complain(command, "write", name, report.error());
      return std::nullopt;
    }
    report->command = command;
    return std::move(*report);
  }

  [[nodiscard]] std::string source_path() const {
    return arguments_.source != "-" ? arguments_.source : "";
  }

  // A source that cannot be looked at counts as unchanged.
  void look_at_source() {
    const auto state = look_at(source_.descriptor, source_path());
    if (state) source_before_ = *state;
  }

  // `aftermath`: what a failure left of the destination.
  int finish(const Report& report, std::string_view aftermath = {}) {
    progress_.clear();
    return deliver(report, arguments_.common, stopping_signal(), aftermath);
  }

  const CopyArguments& arguments_;
  const Stop& stop_;
  Source source_;
  std::optional<SourceState> source_before_;
  Progress progress_;
};

}  // namespace

int copy(const CopyArguments& arguments, const Stop& stop) {
  const CommonArguments& common = arguments.common;
  if (!methods_exist(command, common.wishes)) return status_usage;
  if (const auto wrong = contradiction(arguments)) {
    complain(command, *wrong);
    return status_usage;
  }
  if (!report_has_a_place(command, common, arguments.destination == "-")) return status_usage;
  auto source = open_source(command, arguments.source, stop, common.idle_timeout);
  if (!source) return status_of_stop();
  if (!range_fits(command, source->facts, common)) return status_usage;
  if (!report_file_is_free(command, common, source->status)) return status_usage;
  return Copy{arguments, stop, std::move(*source)}.run();
}

}  // namespace headrace::cli
