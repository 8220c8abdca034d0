#include "cli/serve_options.hpp"

#include <chrono>

#include "cli/values.hpp"
#include "explain/sizes.hpp"

namespace headrace::cli {
namespace {

using http::server::LogFormat;
using http::server::Symlinks;

// More loops or connections than any machine has use for: a slip of the finger.
constexpr unsigned most_threads = 1024;
constexpr std::size_t most_connections = 10'000'000;

/// An option that may come many times, one word each.
void words_option(CLI::App& command, const std::string& name, const std::string& what,
                  const std::string& form, std::vector<std::string>& words) {
  command.add_option(name, words, what)
      ->type_name(form)
      ->allow_extra_args(false);  // the word behind it is the directory
}

void add_site(CLI::App& command, ServeArguments& arguments) {
  auto& configuration = arguments.configuration;
  command.add_option("DIRECTORY", configuration.directory,
                     "what is served (default the working directory)");
  words_option(command, "--listen",
               "Where to listen; many times; port 0 is chosen by the kernel (default "
               "127.0.0.1:8080)",
               "ADDRESS:PORT", arguments.listen);
  auto* const upload = command.add_flag("--upload", arguments.upload,
                                        "Take files by PUT: anyone who can connect may write");
  size_option(command, "--max-upload",
              "Largest file to take (default as large as the disk has room for)",
              configuration.max_upload);
  command.get_option("--max-upload")->needs(upload);
  command.add_flag("--dotfiles", configuration.dotfiles,
                   "Serve and take names that begin with a dot too");
  choice<Symlinks>(
      command, "--symlinks",
      "never, beneath (those that stay in DIRECTORY) or any (default beneath)",
      {{"never", Symlinks::never}, {"beneath", Symlinks::beneath}, {"any", Symlinks::any}},
      [&configuration](Symlinks value) { configuration.symlinks = value; });
  words_option(command, "--allow-host",
               "A name, besides localhost, that requests on a loopback address may be for; many "
               "times",
               "NAME", configuration.allowed_hosts);
}

void add_limits(CLI::App& command, ServeArguments& arguments) {
  auto& configuration = arguments.configuration;
  seconds_option(command, "--idle-timeout",
                 "End connections without progress after this many seconds (default 60)",
                 arguments.idle_timeout);
  seconds_option(command, "--head-timeout",
                 "Longest time for a head to come (default twice --idle-timeout, at most 30)",
                 configuration.head_timeout);
  command
      .add_option_function<std::string>(
          "--min-rate",
          [&configuration](const std::string& text) {
            configuration.min_rate =
                wanted(parse_size(text), "--min-rate", text, "a size, such as 32 or 1KiB, or 0");
          },
          "End clients slower than this many bytes per second over 60 s; 0: none (default 32)")
      ->type_name("SIZE");
  size_option(command, "--limit-rate",
              "At most this many bytes per second to or from each client (default no limit)",
              configuration.limit_rate);
  command
      .add_option("--max-connections", configuration.max_connections,
                  "More than this are answered 503 (default as many as there are descriptors for)")
      ->check(CLI::Range(std::size_t{1}, most_connections));
  command
      .add_option("--threads", configuration.threads,
                  "Event loops (default one for each processor)")
      ->check(CLI::Range(1U, most_threads));
}

void add_log(CLI::App& command, ServeArguments& arguments) {
  command
      .add_option("--log", arguments.log,
                  "Where the access log goes; - is standard output (default -)")
      ->type_name("FILE");
  choice<LogFormat>(command, "--log-format",
                    "combined (and the path taken) or json (default combined)",
                    {{"combined", LogFormat::combined}, {"json", LogFormat::json}},
                    [&arguments](LogFormat value) { arguments.configuration.log.format = value; });
  command.add_flag("--quiet,-q", arguments.common.quiet,
                   "Do not say where it listens; no access log unless --log asks for one");
}

}  // namespace

void add_serve_options(CLI::App& command, ServeArguments& arguments) {
  add_site(command, arguments);
  add_limits(command, arguments);
  add_log(command, arguments);
  add_contract(command, arguments.common,
               {.guarded = "default", .stable = "default up to 64KiB", .live = ""});
  add_wishes(command, arguments.common);
  add_socket(command, arguments.configuration.socket.window,
             arguments.configuration.socket.congestion);
}

}  // namespace headrace::cli
