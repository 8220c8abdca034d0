#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/source.hpp"
#include "cli/target.hpp"
#include "sys/files.hpp"
#include "transfer/metadata.hpp"
#include "transfer/replacement.hpp"

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
    if (destination->kind == DestinationKind::written_through) return through(*destination);
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

  int to_standard_output() {
    Target target = standard_output();
    const auto status = sys::fstat(target.descriptor);
    if (!status) {
      complain(command, "write to", target.name, status.error());
      return status_failed;
    }
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
    auto target = open_target_through(command, destination, stop_);
    return target ? write_to(*target) : status_of_stop();
  }

  int in_place(const Destination& destination) {
    auto target = open_target_in_place(command, destination);
    if (!target) return status_failed;
    auto report = move(target->descriptor, target->name, target->truncate);
    if (!report) return status_failed;
    if (report->outcome == Outcome::complete && arguments_.preserve) {
      add_notes(*report,
                keep_metadata(target->descriptor, {.source = source_.status, .replaced = {}}));
    }
    close_target(*target, *report);
    return finish(*report);
  }

  int write_to(Target& target) {
    auto report = move(target.descriptor, target.name, target.truncate);
    if (!report) return status_failed;
    close_target(target, *report);
    return finish(*report);
  }

  static void add_notes(Report& report, const std::vector<std::string>& notes) {
    report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  }

  int replace(Destination destination) {
    const ReplacementOptions options{.source = arguments_.preserve ? std::optional{source_.status}
                                                                   : std::nullopt};
    auto replacement = Replacement::open(std::move(destination), options);
    if (!replacement) return obstacle(replacement.error());
    auto report = move(replacement->file(), arguments_.destination, false);
    if (!report) return status_failed;
    if (report->outcome != Outcome::complete) return finish(*report);
    auto committed = replacement->commit();
    if (committed) {
      add_notes(*report, committed->notes);
    } else {
      report->outcome = Outcome::failed;
      report->error = committed.error().error;
      add_notes(*report,
                {std::string(committed.error().reason.code) + ": " + committed.error().detail});
      progress_.clear();
      complain_of(command, committed.error());
    }
    return finish(*report);
  }

  std::optional<Report> move(DescriptorRef destination, const std::string& name, bool truncate) {
    const auto facts = probe(destination, name);
    const bool to_pipe = facts && facts->kind == Kind::pipe;
    const bool length_known = size_is_known(source_.facts);
    const Options options{.wishes = arguments_.common.wishes,
                          .fallback_contract = to_pipe ? Contract::stable : Contract::live,
                          .idle_timeout = arguments_.common.idle_timeout,
                          .reserve = facts ? best_reserve(*facts, length_known) : Reserve::nothing,
                          .truncate = truncate,
                          .stop = stop_,
                          .source_name = source_.name,
                          .destination_name = name};
    const Body body = make_body(source_.descriptor, source_.facts, arguments_.common, progress_);
    auto report = transfer(body, Plain{destination}, options);
    if (!report) {
      complain(command, "write", name, report.error());
      return std::nullopt;
    }
    report->command = command;
    return std::move(*report);
  }

  int finish(const Report& report) {
    progress_.clear();
    return deliver(report, arguments_.common, stopping_signal());
  }

  const CopyArguments& arguments_;
  const Stop& stop_;
  Source source_;
  Progress progress_;
};

}  // namespace

int copy(const CopyArguments& arguments, const Stop& stop) {
  const CommonArguments& common = arguments.common;
  if (!methods_exist(command, common.wishes)) return status_usage;
  if (!report_has_a_place(command, common, arguments.destination == "-")) return status_usage;
  auto source = open_source(command, arguments.source, stop);
  if (!source) return status_of_stop();
  if (!range_fits(command, source->facts, common)) return status_usage;
  if (!report_file_is_free(command, common, source->status)) return status_usage;
  return Copy{arguments, stop, std::move(*source)}.run();
}

}  // namespace headrace::cli
