#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/peer.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/target.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "receive";

std::optional<Target> open_target(const std::string& path,
                                  const std::optional<Destination>& destination, const Stop& stop) {
  if (path == "-") return standard_output();
  if (destination->kind == DestinationKind::written_through) {
    return open_target_through(command, *destination, stop);
  }
  return open_target_in_place(command, *destination);
}

}  // namespace

int receive(const PeerArguments& arguments, const Stop& stop) {
  const CommonArguments& common = arguments.common;
  if (!methods_exist(command, common.wishes)) return status_usage;
  if (!address_is_valid(command, arguments.address)) return status_usage;
  if (!report_has_a_place(command, common, arguments.file == "-")) return status_usage;
  // What cannot be a destination is refused before a peer is kept waiting; the old content goes
  // only when one has come.
  std::optional<Destination> destination;
  if (arguments.file != "-") {
    auto found = find_destination(arguments.file, "NAME");
    if (!found) {
      complain_of(command, found.error());
      return status_failed;
    }
    destination = std::move(*found);
  }
  const auto connection = open_peer(command, arguments, stop);
  if (!connection) return status_of_stop();
  const auto facts = probe(connection->socket.ref(), connection->peer);
  if (!facts) {
    complain(command, "receive from", connection->peer, facts.error());
    return status_failed;
  }
  if (destination && destination->kind == DestinationKind::absent) {
    // A refusal makes no file.
    const auto wanted = facts_of_new_file(command, *destination);
    if (!wanted) return status_failed;
    const auto refused = refused_before(command, *facts, *wanted, common.wishes, Contract::live);
    if (refused) return deliver(*refused, common, stopping_signal());
  }
  const auto target = open_target(arguments.file, destination, stop);
  if (!target) return status_of_stop();

  Progress progress{common.progress, common.quiet, std::nullopt};
  const Options options{.wishes = common.wishes,
                        .fallback_contract = Contract::live,
                        .idle_timeout = common.idle_timeout,
                        .reserve = Reserve::ahead,
                        .truncate = target->truncate,
                        .stop = stop,
                        .source_name = connection->peer,
                        .destination_name = target->name};
  auto report = transfer(make_body(connection->socket.ref(), *facts, common, progress),
                         Plain{target->descriptor}, options);
  if (!report) {
    complain(command, "write", target->name, report.error());
    return status_failed;
  }
  report->command = command;
  add_connection(*connection, arguments, *report);
  progress.clear();
  return deliver(*report, common, stopping_signal());
}

}  // namespace headrace::cli
