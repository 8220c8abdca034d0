#include "cli/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

#include "cli/failure.hpp"
#include "explain/exit_status.hpp"
#include "explain/words.hpp"
#include "headrace/explain.hpp"

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

bool write_file(const std::string& path, std::string_view text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::fopen(path.c_str(), "we"),
                                                             &std::fclose};
  if (!file) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  return written && std::fflush(file.get()) == 0;
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

int deliver(const Report& report, const CommonArguments& common, int signal_number) {
  int status = exit_status(report, signal_number);
  const bool json = common.report == ReportFormat::json;
  if (!common.report_file.empty() && common.report != ReportFormat::none) {
    if (!write_file(common.report_file, rendered(report, common.report))) {
      complain(report.command, "write", common.report_file, fail("fopen", errno).error());
      if (status == status_ok) status = status_failed;
    }
  } else if (json) {
    if (!print(report.command, rendered(report, common.report)) && status == status_ok) {
      status = status_failed;
    }
  }
  const bool told =
      common.report == ReportFormat::text && common.report_file.empty() && !common.quiet;
  if (told) write_all(STDERR_FILENO, to_text(report));
  // A failure is told in any case, and last: what, how far, why, what to do.
  if (report.outcome != Outcome::complete) complain(report.command, failure_of(report, told));
  return status;
}

}  // namespace headrace::cli
