#include "cli/session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/console.hpp"
#include "sys/files.hpp"

namespace headrace::cli {

std::optional<Bytes> expected_bytes(const Facts& source, const CommonArguments& common) {
  std::optional<Bytes> bytes;
  if (common.range) bytes = common.range->length;
  if (!size_is_known(source)) return bytes;
  const Bytes start = common.range ? common.range->offset : source.position;
  const Bytes there = source.size > start ? source.size - start : 0;
  return std::min(bytes.value_or(there), there);
}

Body make_body(DescriptorRef source, const Facts& facts, const CommonArguments& common,
               Progress& progress) {
  std::optional<Bytes> offset;
  std::optional<Bytes> length;
  if (common.range) {
    // A stream has no offsets: there the range may only start where the stream stands.
    if (facts.seekable) offset = common.range->offset;
    length = common.range->length;
  }
  Body body = body_of(source, offset, length);
  if (common.limit_rate) body = paced(std::move(body), *common.limit_rate);
  if (progress.wanted()) {
    body = observed(std::move(body), [&progress](Bytes moved) { progress.update(moved); });
  }
  return body;
}

bool range_fits(std::string_view command, const Facts& source, const CommonArguments& common) {
  if (!common.range || common.range->offset == 0) return true;
  const Bytes offset = common.range->offset;
  if (!source.seekable) {
    complain(command,
             fmt::format("'{}' has no offsets: --range can only be 0:LENGTH", source.name));
    return false;
  }
  if (!size_is_known(source) || offset <= source.size) return true;
  complain(command, fmt::format("--range starts at {}, but '{}' ends at {}", offset, source.name,
                                source.size));
  return false;
}

std::optional<Report> refused_before(std::string_view command, const Facts& source,
                                     const Facts& destination, const Wishes& wishes,
                                     Contract fallback) {
  Plan plan = make_plan(all_methods(), source, destination, wishes, fallback);
  if (!plan.usable.empty()) return std::nullopt;
  Report report;
  report.command = command;
  report.source = source;
  report.destination = destination;
  report.contract = plan.contract;
  report.wishes = wishes;
  report.refused = std::move(plan.refused);
  report.outcome = Outcome::refused;
  return report;
}

bool report_has_a_place(std::string_view command, const CommonArguments& common,
                        bool output_is_taken) {
  if (common.report != ReportFormat::json || !common.report_file.empty() || !output_is_taken) {
    return true;
  }
  complain(command, "the bytes go to standard output, so a JSON report needs --report-file FILE");
  return false;
}

bool report_file_is_free(std::string_view command, const CommonArguments& common,
                         const struct stat& end) {
  if (common.report_file.empty() || !S_ISREG(end.st_mode)) return true;
  const auto status = sys::fstatat(sys::working_directory, common.report_file, 0);
  const bool taken = status && status->st_dev == end.st_dev && status->st_ino == end.st_ino;
  if (!taken) return true;
  complain(command, fmt::format("'{}' is one of the two ends: the report would overwrite it",
                                common.report_file));
  return false;
}

bool methods_exist(std::string_view command, const Wishes& wishes) {
  for (const std::string& name : wishes.methods) {
    const bool known = std::ranges::any_of(
        all_methods(), [&](const Method* method) { return method->name == name; });
    if (known) continue;
    std::vector<std::string_view> names;
    for (const Method* method : all_methods()) names.push_back(method->name);
    complain(command, fmt::format("no method '{}'; there are {}", name, fmt::join(names, ", ")));
    return false;
  }
  return true;
}

void note_left_behind(const Replacement& replacement, Report& report) {
  for (const std::string& path : replacement.left_behind()) {
    const auto status = sys::fstatat(sys::working_directory, path, AT_SYMLINK_NOFOLLOW);
    const bool is_source =
        status && status->st_dev == report.source.device && status->st_ino == report.source.inode;
    if (is_source) continue;  // somebody saves what was left
    report.notes.push_back("left by an interrupted run: " + path + "; remove it");
  }
}

}  // namespace headrace::cli
