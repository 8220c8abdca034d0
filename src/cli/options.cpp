#include "cli/options.hpp"

#include <array>
#include <tuple>

#include "cli/values.hpp"

namespace headrace::cli {
namespace {

const std::string range_form = "OFFSET:LENGTH or OFFSET:, sizes such as 4096, 64KiB or 10MB";

}  // namespace

void size_option(CLI::App& command, const std::string& name, const std::string& what,
                 std::optional<Bytes>& value) {
  command
      .add_option_function<std::string>(
          name,
          [name, &value](const std::string& text) {
            value = wanted(positive_size(text), name, text, size_form);
          },
          what)
      ->type_name("SIZE");
}

void seconds_option(CLI::App& command, const std::string& name, const std::string& what,
                    Patience& value) {
  command
      .add_option_function<std::string>(
          name,
          [name, &value](const std::string& text) {
            value = wanted(parse_seconds(text), name, text, seconds_form);
          },
          what)
      ->type_name("SECONDS");
}

void add_range(CLI::App& command, CommonArguments& common) {
  command.add_option_function<std::string>(
      "--range",
      [&common](const std::string& text) {
        common.range = wanted(parse_range(text), "--range", text, range_form);
      },
      "OFFSET:LENGTH of the source to move; an empty LENGTH is the rest (default everything)");
}

void add_contract(CLI::App& command, CommonArguments& common, const ContractDefaults& defaults) {
  const std::array contracts{
      std::tuple{Contract::guarded, "--guarded", defaults.guarded.value_or(""),
                 "A change of the source meanwhile is noticed: it ends incomplete, status 4"},
      std::tuple{Contract::stable, "--stable", defaults.stable,
                 "The bytes are those read at the time of the call"},
      std::tuple{Contract::live, "--live", defaults.live,
                 "Later writes to the source may be seen at the destination"}};
  std::vector<CLI::Option*> others;
  for (const auto& [contract, name, when, what] : contracts) {
    if (contract == Contract::guarded && !defaults.guarded) continue;
    auto* const option = command.add_flag_callback(
        name, [&common, contract] { common.wishes.contract = contract; },
        when.empty() ? what : fmt::format("{} ({})", what, when));
    for (CLI::Option* const other : others) option->excludes(other);
    others.push_back(option);
  }
}

void add_wishes(CLI::App& command, CommonArguments& common) {
  Wishes& wishes = common.wishes;
  // A list that took words until the next option would take the file names behind it too.
  command
      .add_option_function<std::string>(
          "--method", [&wishes](const std::string& text) { wishes.methods = names_in(text); },
          "Try only these methods, in this order (default the best)")
      ->type_name("NAME[,NAME]");
  choice<PathClass>(command, "--require",
                    "shared or kernel: refuse anything below (default take anything)",
                    {{"shared", PathClass::shared}, {"kernel", PathClass::kernel}},
                    [&wishes](PathClass value) { wishes.require = value; });
  size_option(command, "--buffer",
              "Buffer of ours, or capacity of our pipe (default as the method likes)",
              wishes.buffer);
}

void add_socket(CLI::App& command, std::optional<Bytes>& window,
                std::optional<std::string>& congestion) {
  size_option(command, "--window",
              "Socket buffers to ask for, SO_SNDBUF and SO_RCVBUF (default the kernel's)", window);
  command.add_option("--congestion", congestion,
                     "TCP congestion control to set (default: reno to a peer on this machine, "
                     "else the system's)");
}

void add_common(CLI::App& command, CommonArguments& common) {
  size_option(command, "--limit-rate", "At most this many bytes per second (default no limit)",
              common.limit_rate);
  seconds_option(command, "--idle-timeout",
                 common.idle_timeout ? "Give up after this many seconds of silence (default 60)"
                                     : "Give up after this many seconds of silence (default never)",
                 common.idle_timeout);
  choice<ProgressDisplay>(
      command, "--progress",
      "auto: on a terminal, once it takes a while; always; never (default auto)",
      {{"auto", ProgressDisplay::automatic},
       {"always", ProgressDisplay::always},
       {"never", ProgressDisplay::never}},
      [&common](ProgressDisplay value) { common.progress = value; });
  command.add_flag("--quiet,-q", common.quiet, "No progress and no text report");
  add_report(command, common);
}

void add_report(CLI::App& command, CommonArguments& common) {
  choice<ReportFormat>(
      command, "--report", "text, json (to standard output) or none (default text)",
      {{"text", ReportFormat::text}, {"json", ReportFormat::json}, {"none", ReportFormat::none}},
      [&common](ReportFormat value) { common.report = value; });
  command.add_option("--report-file", common.report_file, "Write the report to this file instead");
}

}  // namespace headrace::cli
