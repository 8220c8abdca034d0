#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <sstream>
#include <tuple>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/signals.hpp"
#include "cli/values.hpp"

namespace headrace::cli {
namespace {

// CLI11 turns a ValidationError into its own message and status; we map the status to 2.
template <class Value>
Value wanted(std::optional<Value> value, const std::string& option, const std::string& text,
             const std::string& form) {
  if (!value) throw CLI::ValidationError(option, "'" + text + "' is not " + form);
  return *std::move(value);
}

const std::string size_form = "a size above 0, such as 64KiB, 1MiB, 1.5GiB or 10MB";
const std::string range_form = "OFFSET:LENGTH or OFFSET:, sizes such as 4096, 64KiB or 10MB";
const std::string preserve_form = fmt::format("a list of {}", preserved_words);
const std::string seconds_form = "a number of seconds above 0 and at most 1000000000";

/// Builds the CLI11 application over one set of plain arguments.
class CommandLine {
 public:
  /// Only the command `chosen`, where that is one, and its options are built: all of them together
  /// would take half of the time the tool needs to start.
  explicit CommandLine(std::string_view chosen) : chosen_(chosen) {
    app_.require_subcommand(0, 1);  // that none was given is told by us: CLI11 would not name it
    app_.set_version_flag("--version", "headrace " HEADRACE_VERSION);
    app_.set_help_flag("--help,-h", "Show this and end");
    if (builds("copy")) add_copy();
    if (builds("send")) add_peer("send", "Send a file to a TCP or unix socket", send_);
    if (builds("receive")) add_peer("receive", "Receive one connection into a file", receive_);
    if (builds("explain")) add_explain();
    if (builds("demo")) add_demo();
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& wanted) {
      return show(wanted);
    } catch (const CLI::ParseError& error) {
      return not_understood(error.what());
    }
    if (app_.get_subcommands().empty()) return not_understood("a command is missing");
    const auto stop = install_signals();
    if (!stop) {
      complain("start", describe(stop.error()));
      return status_failed;
    }
    return dispatch(*stop);
  }

 private:
  static constexpr std::array<std::string_view, 5> commands{"copy", "send", "receive", "explain",
                                                            "demo"};

  [[nodiscard]] bool builds(std::string_view command) const {
    return chosen_ == command || std::ranges::find(commands, chosen_) == commands.end();
  }

  // Help and version: CLI11 writes them and does not look whether they arrived.
  int show(const CLI::Success& wanted) {
    std::ostringstream text;
    app_.exit(wanted, text, text);
    return print({}, text.str()) ? status_ok : status_failed;
  }

  int not_understood(std::string_view why) {
    const auto parsed = app_.get_subcommands();
    const std::string chosen = parsed.empty() ? "" : parsed.front()->get_name();
    complain(chosen, why);
    complain(chosen, chosen.empty() ? fmt::format("there are {}; see headrace --help",
                                                  fmt::join(commands, ", "))
                                    : fmt::format("see headrace {} --help", chosen));
    return status_usage;
  }

  int dispatch(const Stop& stop) {
    if (chosen_ == "copy") return copy(copy_, stop);
    if (chosen_ == "send") return send(send_, stop);
    if (chosen_ == "receive") return receive(receive_, stop);
    if (chosen_ == "explain") return explain(explain_, stop);
    return demo(demo_, stop);
  }

  void add_copy() {
    CLI::App& command = *app_.add_subcommand("copy", "Copy one file, pipe or device");
    if (chosen_ != "copy") return;
    command.add_option("SOURCE", copy_.source, "file, FIFO, device, or - for standard input")
        ->required();
    command
        .add_option("DESTINATION", copy_.destination,
                    "file, FIFO, device, or - for standard output")
        ->required();
    command.add_flag("--in-place", copy_.in_place,
                     "Write into the existing file instead of replacing it when complete");
    add_preserve(command);
    add_blocks(command);
    command.add_flag("--fsync", copy_.durable,
                     "Wait until the file, and its name, are on the disk");
    command.add_flag("--verify", copy_.verify,
                     "Read both ends again before the file takes its place, and compare");
    add_range(command, copy_.common);
    add_contract(command, copy_.common,
                 {.guarded = "default to a file",
                  .stable = "default to a pipe",
                  .live = "default to anything else"});
    add_wishes(command, copy_.common);
    add_common(command, copy_.common);
  }

  void add_preserve(CLI::App& command) {
    auto* const preserve = command.add_option_function<std::string>(
        "--preserve",
        [this](const std::string& text) {
          copy_.preserve = wanted(parse_preserve(text), "--preserve", text, preserve_form);
        },
        fmt::format("Keep these of the source, or fail: a list of {}; all keeps the others too, "
                    "where possible (default mode,times, where possible)",
                    preserved_words));
    command
        .add_flag_callback(
            "--no-preserve", [this] { copy_.preserve = preserve_nothing; },
            "Keep nothing of the source but its bytes")
        ->excludes(preserve);
  }

  void add_blocks(CLI::App& command) {
    choice<Sparse>(
        command, "--sparse",
        "auto: keep holes; always: make blocks of zeros holes too; never: write them "
        "(default auto)",
        {{"auto", Sparse::automatic}, {"always", Sparse::always}, {"never", Sparse::never}},
        [this](Sparse value) { copy_.sparse = value; });
    choice<Reflink>(
        command, "--reflink",
        "auto: share blocks where the file system can; always: or fail (status 3); "
        "never: write blocks of its own (default auto)",
        {{"auto", Reflink::automatic}, {"always", Reflink::always}, {"never", Reflink::never}},
        [this](Reflink value) { copy_.reflink = value; });
    command.add_flag("--preallocate", copy_.preallocate,
                     "Reserve the whole length first, or fail before a byte is written; implies "
                     "--sparse never");
  }

  void add_peer(const std::string& name, const std::string& what, PeerArguments& arguments) {
    CLI::App& command = *app_.add_subcommand(name, what);
    if (chosen_ != name) return;
    const bool sends = name == "send";
    arguments.listens = !sends;
    arguments.common.idle_timeout = std::chrono::seconds{60};
    const std::string address = "HOST:PORT, [IPv6]:PORT, :PORT or unix:PATH";
    if (sends) {
      command.add_option("FILE", arguments.file, "file, FIFO, device, or - for standard input")
          ->required();
      command.add_option("ADDRESS", arguments.address, address)->required();
      add_range(command, arguments.common);
      add_contract(command, arguments.common, {.guarded = "", .stable = "", .live = "default"});
    } else {
      command.add_option("ADDRESS", arguments.address, address)->required();
      command.add_option("FILE", arguments.file, "file, FIFO, device, or - for standard output")
          ->required();
      add_contract(command, arguments.common, {.guarded = {}, .stable = "", .live = "default"});
    }
    add_side(command, arguments);
    size_option(command, "--window",
                "Socket buffers to ask for, SO_SNDBUF and SO_RCVBUF (default the kernel's)",
                arguments.window);
    command.add_option("--congestion", arguments.congestion,
                       "TCP congestion control to set (default: reno to a peer on this machine, "
                       "else the system's)");
    command.add_flag("--checked", arguments.checked,
                     "Both sides hash the bytes and the receiver answers; both must be given it");
    add_wishes(command, arguments.common);
    add_common(command, arguments.common);
  }

  static void add_side(CLI::App& command, PeerArguments& arguments) {
    const bool sends = !arguments.listens;
    auto* const connects = command.add_flag_callback(
        "--connect", [&arguments] { arguments.listens = false; },
        sends ? "Connect to ADDRESS (default)" : "Connect to ADDRESS");
    auto* const listens = command.add_flag_callback(
        "--listen", [&arguments] { arguments.listens = true; },
        sends ? "Listen on ADDRESS for one peer" : "Listen on ADDRESS for one peer (default)");
    connects->excludes(listens);
  }

  void add_explain() {
    CLI::App& command = *app_.add_subcommand("explain", "Say which path would be taken, and why");
    if (chosen_ != "explain") return;
    auto* const source =
        command.add_option("SOURCE", explain_.source, "path, HOST:PORT, unix:PATH or -");
    auto* const destination =
        command.add_option("DESTINATION", explain_.destination, "path, HOST:PORT, unix:PATH or -");
    source->needs(destination);
    auto* const methods =
        command.add_flag("--methods", explain_.methods, "List the methods of this build");
    auto* const kernel =
        command.add_flag("--kernel", explain_.kernel, "Try what this kernel and sandbox offer");
    methods->excludes(kernel)->excludes(source);
    kernel->excludes(source);
    add_contract(command, explain_.common, {.guarded = "", .stable = "", .live = ""});
    add_wishes(command, explain_.common);
    add_report(command, explain_.common);
  }

  void add_demo() {
    CLI::App& command = *app_.add_subcommand(
        "demo", "Copy, send and receive a file on this machine and show the reports");
    if (chosen_ != "demo") return;
    command
        .add_option_function<std::string>(
            "--size",
            [this](const std::string& text) {
              demo_.size = wanted(positive_size(text), "--size", text, size_form);
            },
            "Size of the file (default 64MiB)")
        ->type_name("SIZE");
  }

  static void size_option(CLI::App& command, const std::string& name, const std::string& what,
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

  template <class T>
  static void choice(CLI::App& command, const std::string& name, const std::string& what,
                     std::map<std::string, T> values, std::function<void(T)> take) {
    command.add_option_function<std::string>(
        name,
        [name, values = std::move(values), take = std::move(take)](const std::string& text) {
          const auto found = values.find(text);
          if (found == values.end()) {
            std::vector<std::string> names;
            for (const auto& entry : values) names.push_back(entry.first);
            throw CLI::ValidationError(
                name, fmt::format("'{}' is not one of: {}", text, fmt::join(names, ", ")));
          }
          take(found->second);
        },
        what);
  }

  static void add_range(CLI::App& command, CommonArguments& common) {
    command.add_option_function<std::string>(
        "--range",
        [&common](const std::string& text) {
          common.range = wanted(parse_range(text), "--range", text, range_form);
        },
        "OFFSET:LENGTH of the source to move; an empty LENGTH is the rest (default everything)");
  }

  /// When each contract holds without being asked for; empty where never.
  struct Defaults {
    std::optional<std::string> guarded;  ///< absent: a source that is no file cannot be guarded
    std::string stable;
    std::string live;
  };

  static void add_contract(CLI::App& command, CommonArguments& common, const Defaults& defaults) {
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

  static void add_wishes(CLI::App& command, CommonArguments& common) {
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

  static void add_common(CLI::App& command, CommonArguments& common) {
    size_option(command, "--limit-rate", "At most this many bytes per second (default no limit)",
                common.limit_rate);
    command
        .add_option_function<std::string>(
            "--idle-timeout",
            [&common](const std::string& text) {
              common.idle_timeout =
                  wanted(parse_seconds(text), "--idle-timeout", text, seconds_form);
            },
            common.idle_timeout ? "Give up after this many seconds of silence (default 60)"
                                : "Give up after this many seconds of silence (default never)")
        ->type_name("SECONDS");
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

  static void add_report(CLI::App& command, CommonArguments& common) {
    choice<ReportFormat>(
        command, "--report", "text, json (to standard output) or none (default text)",
        {{"text", ReportFormat::text}, {"json", ReportFormat::json}, {"none", ReportFormat::none}},
        [&common](ReportFormat value) { common.report = value; });
    command.add_option("--report-file", common.report_file,
                       "Write the report to this file instead");
  }

  std::string_view chosen_;
  CLI::App app_{"Moves bytes by the fastest path the kernel offers, and says which.", "headrace"};
  CopyArguments copy_;
  PeerArguments send_;
  PeerArguments receive_;
  ExplainArguments explain_;
  DemoArguments demo_;
};

}  // namespace

int run(int argc, char** argv) {
  // Options of the whole tool take no values, so the first word that is no option is the command.
  int word = 1;
  while (word < argc && argv[word][0] == '-') ++word;
  return CommandLine{word < argc ? argv[word] : ""}.run(argc, argv);
}

}  // namespace headrace::cli
