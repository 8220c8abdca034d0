#include "explain/headline.hpp"

#include "explain/words.hpp"
#include "headrace/explain.hpp"

namespace headrace::explain {
namespace {

std::string_view verb_of(const Report& report) {
  if (report.command == "copy") return "copied";
  if (report.command == "send") return "sent";
  if (report.command == "receive") return "received";
  if (report.command == "put") return "put";
  if (report.command == "get") return "got";
  return "moved";
}

std::string_view prefix_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::complete:
      return "";
    case Outcome::failed:
      return "failed: ";
    case Outcome::refused:
      return "refused: ";
    case Outcome::source_changed:
      return "incomplete, the source changed meanwhile: ";
    case Outcome::interrupted:
      return "interrupted: ";
    case Outcome::mismatched:
      return "wrong, what arrived is not what was sent: ";
    case Outcome::answered_early:
      return "answered before the end: ";
  }
  return "";
}

// A whole transfer is told briefly; anything else with its exact count.
std::string amount_of(const Report& report) {
  if (report.outcome == Outcome::complete) {
    constexpr Bytes small = 10 * kibibyte;  // up to here the exact count is the shorter reading
    return report.bytes < small ? counted(report.bytes, "byte") : format_size(report.bytes);
  }
  std::string text = exact_size(report.bytes);
  if (report.expected) text += " of " + exact_size(*report.expected);
  return text;
}

std::string rate_of(const Report& report) {
  if (report.bytes == 0 || report.seconds <= 0) return "";
  const double rate = static_cast<double>(report.bytes) / report.seconds;
  constexpr double beyond = 1e18;  // a clock that hardly moved says nothing
  return rate < beyond ? ": " + format_size(static_cast<Bytes>(rate)) + "/s" : "";
}

std::string cpu_of(const Report& report) {
  const double total = report.cpu_user + report.cpu_system;
  if (report.bytes == 0 || total <= 0) return "";
  std::string text = ", CPU ";
  if (report.bytes >= mebibyte) {  // below, a start's few microseconds would be taken for a rate
    const double gibibytes = static_cast<double>(report.bytes) / static_cast<double>(gibibyte);
    text += format_seconds(total / gibibytes) + "/GiB";
  } else {
    text += format_seconds(total);
  }
  return text + " (user " + format_seconds(report.cpu_user) + ", system " +
         format_seconds(report.cpu_system) + ")";
}

std::string codes_of(const std::vector<Refusal>& refused) {
  std::string codes;
  for (const Refusal& refusal : refused) {
    if (!worth_saying(refusal)) continue;
    codes += codes.empty() ? "" : ", ";
    codes += name_of(refusal.method);
    codes += ": ";
    codes += refusal.reason.code;
  }
  return codes.empty() ? "no method is left" : codes;
}

}  // namespace

bool worth_saying(const Refusal& refusal) {
  return !(refusal.reason == not_named || refusal.reason == by_name_only);
}

std::optional<Error> cause_of(const Report& report) {
  if (report.outcome == Outcome::complete) return std::nullopt;
  const bool leg_failed = !report.legs.empty() && report.legs.back().ending == Ending::failed;
  if (leg_failed && report.legs.back().error) return report.legs.back().error;
  if (report.error || report.legs.empty()) return report.error;
  return report.legs.back().error;
}

std::string headline(const Report& report) {
  std::string line(prefix_of(report.outcome));
  const bool nothing = report.bytes == 0 && report.outcome != Outcome::complete;
  line += nothing ? "nothing " : "";
  line += verb_of(report);
  if (!nothing) line += " " + amount_of(report) + " in " + format_seconds(report.seconds);
  const auto cause = cause_of(report);
  if (cause) return line + ": " + describe(*cause) + "\n";
  if (report.outcome == Outcome::refused) return line + ": " + codes_of(report.refused) + "\n";
  return line + rate_of(report) + cpu_of(report) + "\n";
}

}  // namespace headrace::explain
