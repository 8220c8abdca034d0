#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/http_options.hpp"
#include "cli/options.hpp"
#include "cli/serve_options.hpp"
#include "cli/signals.hpp"
#include "cli/values.hpp"

namespace headrace::cli {
namespace {

const std::string preserve_form = fmt::format("a list of {}", preserved_words);

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
    if (builds("get")) add_get();
    if (builds("put")) add_put();
    if (builds("serve")) add_serve();
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
  static constexpr std::array<std::string_view, 8> commands{"copy", "send",  "receive", "get",
                                                            "put",  "serve", "explain", "demo"};

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
    if (chosen_ == "get") return get(get_, stop);
    if (chosen_ == "put") return put(put_, stop);
    if (chosen_ == "serve") return serve(serve_, stop);
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
    add_socket(command, arguments.window, arguments.congestion);
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

  void add_get() {
    CLI::App& command = *app_.add_subcommand("get", "Fetch a URL into a file");
    if (chosen_ == "get") add_get_options(command, get_);
  }

  void add_put() {
    CLI::App& command = *app_.add_subcommand("put", "Upload files to URLs");
    if (chosen_ == "put") add_put_options(command, put_);
  }

  void add_serve() {
    CLI::App& command = *app_.add_subcommand("serve", "Serve a directory by HTTP");
    if (chosen_ == "serve") add_serve_options(command, serve_);
  }

  void add_explain() {
    CLI::App& command = *app_.add_subcommand("explain", "Say which path would be taken, and why");
    if (chosen_ != "explain") return;
    auto* const source =
        command.add_option("SOURCE", explain_.source, "path, HOST:PORT, unix:PATH, URL or -");
    auto* const destination = command.add_option("DESTINATION", explain_.destination,
                                                 "path, HOST:PORT, unix:PATH, URL or -");
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
        "demo",
        "Copy, send, receive, serve, put and get a file on this machine and show the reports");
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

  std::string_view chosen_;
  CLI::App app_{"Moves bytes by the fastest path the kernel offers, and says which.", "headrace"};
  CopyArguments copy_;
  PeerArguments send_;
  PeerArguments receive_;
  GetArguments get_;
  PutArguments put_;
  ServeArguments serve_;
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
