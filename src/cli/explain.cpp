#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/explain_end.hpp"
#include "cli/explain_kernel.hpp"
#include "cli/session.hpp"
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

int print_text(const std::string& text) { return print(command, text) ? status_ok : status_failed; }

int explain_pair(const ExplainArguments& arguments, const Stop& stop) {
  const auto source = facts_of_end(command, arguments.source, End::source, stop);
  if (!source) return status_failed;
  const auto destination = facts_of_end(command, arguments.destination, End::destination, stop);
  if (!destination) return status_failed;
  const Contract fallback = destination->kind == Kind::pipe ? Contract::stable : Contract::live;
  const Plan plan =
      make_plan(all_methods(), *source, *destination, arguments.common.wishes, fallback);
  const std::string text = arguments.common.report == ReportFormat::json
                               ? to_json(plan, *source, *destination) + "\n"
                               : to_text(plan, *source, *destination);
  const int printed = print_text(text);
  if (printed != status_ok) return printed;
  return plan.usable.empty() ? status_refused : status_ok;
}

}  // namespace

int explain(const ExplainArguments& arguments, const Stop& stop) {
  if (!methods_exist(command, arguments.common.wishes)) return status_usage;
  if (arguments.methods) return print_text(methods_text());
  if (arguments.kernel) return print_text(kernel_text(try_kernel()));
  if (arguments.destination.empty()) {
    complain(command, "name SOURCE and DESTINATION, or ask for --methods or --kernel");
    return status_usage;
  }
  return explain_pair(arguments, stop);
}

}  // namespace headrace::cli
