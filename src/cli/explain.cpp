#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/copy_options.hpp"
#include "cli/explain_end.hpp"
#include "cli/explain_kernel.hpp"
#include "cli/explain_url.hpp"
#include "cli/session.hpp"
#include "explain/json_parts.hpp"
#include "headrace/explain.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "explain";

std::string methods_text() {
  std::string text;
  for (const Method* method : all_methods()) {
    text += fmt::format("{:<16} {:<7} {}\n", method->name, name_of(method->path_class),
                        method->summary);
  }
  return text;
}

std::string methods_json() {
  explain::Json json{{"schema", explain::json_schema}, {"command", "explain"}};
  json["methods"] = explain::Json::array();
  for (const Method* method : all_methods()) {
    json["methods"].push_back({{"name", std::string(method->name)},
                               {"class", std::string(name_of(method->path_class))},
                               {"summary", std::string(method->summary)}});
  }
  return explain::dump(json) + "\n";
}

Plan plan_between(const ExplainArguments& ends, const Facts& source, const Facts& destination) {
  const Wishes& wishes = ends.common.wishes;
  if (is_url(ends.destination)) return plan_of_put(ends.destination, source, destination, wishes);
  if (is_url(ends.source)) return plan_of_get(ends.source, source, destination, wishes);
  return make_plan(all_methods(), source, destination, wishes, fallback_contract(destination));
}

int explain_pair(const ExplainArguments& arguments, const Stop& stop) {
  const auto source = facts_of_end(command, arguments.source, End::source, stop);
  if (!source) return status_failed;
  const auto destination = facts_of_end(command, arguments.destination, End::destination, stop);
  if (!destination) return status_failed;
  const Plan plan = plan_between(arguments, *source, *destination);
  const std::string text = arguments.common.report == ReportFormat::json
                               ? to_json(plan, *source, *destination) + "\n"
                               : to_text(plan, *source, *destination);
  const int delivered = deliver_answer(command, text, arguments.common);
  if (delivered != status_ok) return delivered;
  return plan.usable.empty() ? status_refused : status_ok;
}

}  // namespace

int explain(const ExplainArguments& arguments, const Stop& stop) {
  if (!methods_exist(command, arguments.common.wishes)) return status_usage;
  const bool json = arguments.common.report == ReportFormat::json;
  if (arguments.methods) {
    return deliver_answer(command, json ? methods_json() : methods_text(), arguments.common);
  }
  if (arguments.kernel) {
    const auto offers = try_kernel();
    return deliver_answer(command, json ? kernel_json(offers) : kernel_text(offers),
                          arguments.common);
  }
  if (arguments.destination.empty()) {
    complain(command, "name SOURCE and DESTINATION, or ask for --methods or --kernel");
    return status_usage;
  }
  if (is_url(arguments.source) && is_url(arguments.destination)) {
    complain(command, "get and put move between a URL and a file: name a file as one of the ends");
    return status_usage;
  }
  return explain_pair(arguments, stop);
}

}  // namespace headrace::cli
