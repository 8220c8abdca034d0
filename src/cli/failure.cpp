#include "cli/failure.hpp"

#include <fmt/format.h>

#include "explain/words.hpp"
#include "headrace/explain.hpp"

namespace headrace::cli {
namespace {

std::string how_far(const Report& report) {
  std::string text = fmt::format("after {}", report.bytes);
  if (report.expected) text += fmt::format(" of {}", *report.expected);
  text += " bytes";
  if (report.acknowledged) text += fmt::format(", {} acknowledged", *report.acknowledged);
  if (report.stranded > 0) text += fmt::format(", {} lost on the way", report.stranded);
  return text;
}

const Error* error_of(const Report& report) {
  if (report.error) return &*report.error;
  if (report.legs.empty() || !report.legs.back().error) return nullptr;
  return &*report.legs.back().error;
}

// What a server says is why, unless a failure of ours came after it.
std::string answer_of(const Exchange& exchange) {
  std::string text = fmt::format(": the server answered {}", exchange.status);
  if (!exchange.reason.empty()) text += " " + exchange.reason;
  if (!exchange.answer.empty()) text += ": " + exchange.answer;
  return text;
}

std::string why(const Report& report, bool report_shown) {
  constexpr int first_redirect = 300;  // what is below says that nothing is wrong
  const bool refused = report.exchange && report.exchange->status >= first_redirect;
  if (refused && !report.error) return answer_of(*report.exchange);
  const Error* const error = error_of(report);
  if (error == nullptr) return "";
  const std::string hint = report_shown ? "" : advice(*error, report.source, report.destination);
  return ": " + explain::describe(*error) + (hint.empty() ? "" : "; " + hint);
}

// What nobody could have meant to take is left out, unless there is nothing else to tell.
std::string refusals(const Report& report) {
  std::string text;
  for (const bool all : {false, true}) {
    for (const Refusal& refusal : report.refused) {
      const bool unasked = refusal.reason == not_named || refusal.reason == by_name_only;
      if (unasked && !all) continue;
      text += (text.empty() ? ": " : "; ") + explain::describe(refusal);
    }
    if (!text.empty()) break;
  }
  return text;
}

}  // namespace

std::string failure_of(const Report& report, bool report_shown) {
  const std::string ends = fmt::format("'{}' to '{}'", report.source.name, report.destination.name);
  switch (report.outcome) {
    case Outcome::refused:
      return fmt::format("{} refused {}{}", ends, how_far(report),
                         report_shown ? ", as the options demand" : refusals(report));
    case Outcome::source_changed:
      return fmt::format("{} incomplete {}: the source {}", ends, how_far(report),
                         report.change ? describe(*report.change)
                                       : std::string("gave fewer bytes than it promised"));
    case Outcome::mismatched:
      return fmt::format("{} {}: what arrived is not what was sent", ends, how_far(report));
    case Outcome::interrupted:
      return fmt::format("{} interrupted {}", ends, how_far(report));
    case Outcome::answered_early:
    case Outcome::failed:
    case Outcome::complete:
      break;
  }
  return fmt::format("{} failed {}{}", ends, how_far(report), why(report, report_shown));
}

}  // namespace headrace::cli
