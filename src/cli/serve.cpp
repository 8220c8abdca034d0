#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <thread>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/peer.hpp"
#include "cli/serve_signals.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "http/server/server.hpp"
#include "sys/files.hpp"
#include "sys/limits.hpp"

namespace headrace::cli {
namespace {

using http::server::Configuration;
using http::server::Server;

constexpr std::string_view command = "serve";

/// Each connection takes a descriptor, a transfer some more; the usual soft limit is 1024. Where it
/// cannot be raised the server does with what there is.
void raise_descriptor_limit() {
  const auto limit = sys::getrlimit(RLIMIT_NOFILE);
  if (!limit || limit->rlim_cur == limit->rlim_max) return;
  [[maybe_unused]] const auto raised =
      sys::setrlimit(RLIMIT_NOFILE, {.rlim_cur = limit->rlim_max, .rlim_max = limit->rlim_max});
}

std::optional<Configuration> configuration_of(const ServeArguments& arguments) {
  Configuration configuration = arguments.configuration;
  for (const std::string& address : arguments.listen) {
    if (!address_is_valid(command, address)) return std::nullopt;
    configuration.listen.push_back(*net::parse_address(address));
  }
  configuration.wishes = arguments.common.wishes;
  if (arguments.idle_timeout) configuration.idle_timeout = *arguments.idle_timeout;
  if (arguments.upload) configuration.uploads = http::server::Uploads::stored;
  configuration.log.path = arguments.log;
  if (arguments.log.empty() && !arguments.common.quiet) configuration.log.path = "-";
  return configuration;
}

bool directory_is_there(const std::string& directory) {
  const auto opened =
      sys::openat(sys::working_directory, directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (!opened) complain(command, "serve", directory, opened.error());
  return opened.has_value();
}

std::unique_ptr<Server> open_server(const ServeArguments& arguments, Configuration configuration) {
  const std::string log = configuration.log.path;
  auto server = Server::open(std::move(configuration));
  if (server) return std::move(*server);
  // The directory was there a moment ago.
  if (server.error().call.starts_with("open")) {
    complain(command, "write the log", log, server.error());
  } else {
    const std::string where = fmt::format("{}", fmt::join(arguments.listen, ", "));
    complain(command, "listen on", where.empty() ? "127.0.0.1:8080" : where, server.error());
  }
  return nullptr;
}

void say_where(const Server& server, const std::string& directory) {
  std::error_code unknown;
  const auto whole = std::filesystem::canonical(directory, unknown);
  for (const std::string& address : server.addresses()) {
    const bool is_url = !address.starts_with("unix:");
    complain(command, fmt::format("listening on {}{}{} ({})", is_url ? "http://" : "", address,
                                  is_url ? "/" : "", unknown ? directory : whole.string()));
  }
}

/// The first signal lets every answer end, the second ends them. Returns the exit status.
int steer(Server& server, ServeSignals& signals, bool quiet) {
  for (int ends = 0;;) {
    const auto event = signals.wait();
    if (!event) {
      complain(command, describe(event.error()));
      server.stop();
      return status_failed;
    }
    switch (*event) {
      case ServeSignals::Event::over:
        return ends > 1 ? status_of_signal(signals.last()) : status_ok;
      case ServeSignals::Event::reopen_log:
        server.reopen_log();
        break;
      case ServeSignals::Event::end:
        if (++ends > 1) {
          server.stop();
          break;
        }
        if (!quiet) complain(command, "letting what is under way end; once more ends it at once");
        server.drain();
    }
  }
}

int run(Server& server, ServeSignals& signals, bool quiet) {
  std::jthread runner([&server, &signals] {
    server.run();
    signals.over();
  });
  const int status = steer(server, signals, quiet);
  runner.join();
  if (!server.trouble()) return status;
  complain(command, fmt::format("the server had to end: {}", describe(*server.trouble())));
  return status_failed;
}

}  // namespace

int serve(const ServeArguments& arguments, const Stop& stop) {
  if (!methods_exist(command, arguments.common.wishes)) return status_usage;
  auto configuration = configuration_of(arguments);
  if (!configuration) return status_usage;
  if (!directory_is_there(configuration->directory)) return status_failed;
  raise_descriptor_limit();
  // Before any thread exists: none of them is to be interrupted.
  auto signals = ServeSignals::block();
  if (!signals) {
    complain(command, describe(signals.error()));
    return status_failed;
  }
  if (stop.requested->load()) return status_of_stop();
  const auto server = open_server(arguments, std::move(*configuration));
  if (!server) return status_failed;
  const bool quiet = arguments.common.quiet;
  if (!quiet) say_where(*server, arguments.configuration.directory);
  for (const std::string& note : server->notes()) {
    if (!quiet) complain(command, note);
  }
  return run(*server, *signals, quiet);
}

}  // namespace headrace::cli
