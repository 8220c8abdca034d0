#pragma once

#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "headrace/report.hpp"

namespace headrace::cli {

// Exit statuses that no report decides; README lists them all.
inline constexpr int status_ok = 0;
inline constexpr int status_failed = 1;
inline constexpr int status_usage = 2;
inline constexpr int status_refused = 3;
inline constexpr int status_answered_error = 5;
inline constexpr int status_mismatched = 6;

/// Writes "headrace COMMAND: MESSAGE" to standard error, control characters made visible.
void complain(std::string_view command, std::string_view message);
/// The same for a failing call: what we were doing, to what, why not, what to do.
void complain(std::string_view command, std::string_view doing, std::string_view thing,
              const Error& error);
/// "CALL: reason in words", and what can be done, in brackets, where that is known.
std::string describe(const Error& error);

/// Writes all of `text` to standard output. False where that failed; the reason was told.
bool print(std::string_view command, std::string_view text);

/// Where the answer to a question goes, by the options: to standard output, to --report-file, or
/// nowhere. Returns the status for that alone.
int deliver_answer(std::string_view command, std::string_view text, const CommonArguments& common);

/// Where in a report file a report stands: several transfers of one command follow each other.
enum class ReportPlace { fresh, behind };

/// Where a report goes, by the options: text to standard error, JSON to standard output, either to
/// --report-file. Returns the status the command should end with. `aftermath` ends what is said of
/// a failure: what became of the destination.
int deliver(const Report& report, const CommonArguments& common, int signal_number,
            std::string_view aftermath = {}, ReportPlace place = ReportPlace::fresh);

}  // namespace headrace::cli
