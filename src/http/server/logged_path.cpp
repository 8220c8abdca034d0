#include "http/server/logged_path.hpp"

namespace headrace::http::server {
namespace {

void add(std::string& text, std::string_view separator, std::string_view more) {
  if (!text.empty()) text += separator;
  text += more;
}

std::string describe(const Error& error) {
  return std::string(error.call) + ": " + error.code.message();
}

std::string describe(const Leg& leg) {
  std::string text(leg.method != nullptr ? leg.method->name : "none");
  text += ":" + std::to_string(leg.bytes);
  if (leg.ending != Ending::finished) text += ":" + std::string(name_of(leg.ending));
  return text;
}

/// What refused a transfer that was refused as a whole; otherwise the plan's refusals are ordinary.
void add_refusals(std::string& trouble, const Report& report) {
  for (const Refusal& refusal : report.refused) {
    const std::string_view method = refusal.method != nullptr ? refusal.method->name : "none";
    add(trouble, ", ", std::string(method) + ": " + std::string(refusal.reason.code));
  }
}

}  // namespace

LoggedPath logged_path(const Report& report) {
  LoggedPath path{.path_class = class_of(report), .evidence = report.evidence};
  for (const Leg& leg : report.legs) {
    add(path.legs, " ", describe(leg));
    path.waits += leg.waits;
    if (leg.error) add(path.trouble, ", ", describe(*leg.error));
  }
  if (report.error) add(path.trouble, ", ", describe(*report.error));
  if (report.change) add(path.trouble, ", ", "source " + headrace::describe(*report.change));
  if (report.outcome != Outcome::complete) {
    add(path.trouble, ", ", name_of(report.outcome));
  }
  if (report.outcome == Outcome::refused) add_refusals(path.trouble, report);
  return path;
}

}  // namespace headrace::http::server
