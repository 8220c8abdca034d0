#include "cli/console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "cli/failure.hpp"
#include "explain/exit_status.hpp"
#include "explain/words.hpp"
#include "headrace/explain.hpp"
#include "sys/files.hpp"

namespace headrace::cli {
namespace {

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// A file that the report must not become, by device and inode.
using End = std::pair<std::uint64_t, std::uint64_t>;
using Ends = std::vector<End>;
constexpr std::string_view is_an_end = "it is one of the two ends of the transfer";

// Emptied only when it is known to be none of the ends: a destination may have got its name since.
Result<void> write_file(const std::string& path, std::string_view text, const Ends& ends,
                        ReportPlace place) {
  const int appends = place == ReportPlace::behind ? O_APPEND : 0;
  auto file = sys::openat(sys::working_directory, path,
                          O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC | appends, 0666);
  if (!file) return std::unexpected(file.error());
  const auto status = sys::fstat(file->ref());
  if (!status) return std::unexpected(status.error());
  if (S_ISREG(status->st_mode)) {
    if (std::ranges::find(ends, End{status->st_dev, status->st_ino}) != ends.end()) {
      return fail(is_an_end, EBUSY);
    }
    if (place == ReportPlace::fresh) {
      if (const auto emptied = sys::ftruncate(file->ref(), 0); !emptied) return emptied;
    }
  }
  if (!write_all(file->ref().number(), text)) return fail("write", errno);
  return file->close();
}

bool write_report_file(std::string_view command, const std::string& path, std::string_view text,
                       const Ends& ends, ReportPlace place) {
  const auto written = write_file(path, text, ends, place);
  if (!written) complain(command, "write", path, written.error());
  return written.has_value();
}

std::string rendered(const Report& report, ReportFormat format) {
  return format == ReportFormat::json ? to_json(report) + "\n" : to_text(report);
}

}  // namespace

void complain(std::string_view command, std::string_view message) {
  const std::string_view space = command.empty() ? "" : " ";
  // Names of files come from anywhere: none of them may steer a terminal.
  write_all(STDERR_FILENO,
            fmt::format("headrace{}{}: {}\n", space, command, explain::printable(message)));
}

std::string describe(const Error& error) {
  const std::string what = explain::describe(error);
  const std::string hint = advice(error, {}, {});
  return hint.empty() ? what : fmt::format("{} ({})", what, hint);
}

void complain(std::string_view command, std::string_view doing, std::string_view thing,
              const Error& error) {
  complain(command, fmt::format("cannot {} '{}': {}", doing, thing, describe(error)));
}

bool print(std::string_view command, std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return true;
  complain(command, "write", "standard output", fail("write", errno).error());
  return false;
}

namespace {

int deliver_text(std::string_view command, std::string_view text, const CommonArguments& common,
                 const Ends& ends, ReportPlace place) {
  if (common.report == ReportFormat::none) return status_ok;
  const bool arrived = common.report_file.empty()
                           ? print(command, text)
                           : write_report_file(command, common.report_file, text, ends, place);
  return arrived ? status_ok : status_failed;
}

Ends ends_of(const Report& report) {
  return {{report.source.device, report.source.inode},
          {report.destination.device, report.destination.inode}};
}

int status_of(const Report& report, int signal_number) {
  constexpr int first_error = 400;
  const bool came_to_nothing =
      report.outcome == Outcome::failed || report.outcome == Outcome::answered_early;
  const bool refused_by_server = report.exchange && report.exchange->status >= first_error;
  // A failure of ours that came after the answer is what counts.
  if (came_to_nothing && refused_by_server && !report.error) return status_answered_error;
  return exit_status(report, signal_number);
}

}  // namespace

int deliver_answer(std::string_view command, std::string_view text, const CommonArguments& common) {
  return deliver_text(command, text, common, {}, ReportPlace::fresh);
}

int deliver(const Report& report, const CommonArguments& common, int signal_number,
            std::string_view aftermath, ReportPlace place) {
  int status = status_of(report, signal_number);
  const bool json = common.report == ReportFormat::json;
  // JSON goes where an answer goes; the text report goes there only when it is to be a file.
  if (json || !common.report_file.empty()) {
    const int delivered = deliver_text(report.command, rendered(report, common.report), common,
                                       ends_of(report), place);
    if (status == status_ok) status = delivered;
  }
  const bool told =
      common.report == ReportFormat::text && common.report_file.empty() && !common.quiet;
  if (told) write_all(STDERR_FILENO, to_text(report));
  // A failure is told in any case, and last: what, how far, why, what to do.
  if (report.outcome != Outcome::complete) {
    const std::string rest = aftermath.empty() ? "" : fmt::format("; {}", aftermath);
    complain(report.command, failure_of(report, told) + rest);
  }
  return status;
}

}  // namespace headrace::cli
