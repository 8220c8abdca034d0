#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/peer.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/target.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "receive";

/// Where the bytes go: lent, found, or open already.
struct Place {
  std::optional<Destination> destination;  // absent: standard output
  std::optional<Target> target;            // absent: opened when a peer has come
};

std::optional<Target> open_target(const Destination& destination, const Stop& stop) {
  if (destination.kind == DestinationKind::written_through) {
    return open_target_through(command, destination, stop);
  }
  return open_target_in_place(command, destination);
}

// What cannot be written is refused before a peer is kept waiting. Only a peer makes a new file,
// and a FIFO may wait for its reader longer than a peer would for us.
std::optional<Place> find_place(const std::string& path, const Stop& stop) {
  if (path == "-") return Place{.destination = {}, .target = standard_output()};
  auto found = find_destination(path, "NAME");
  if (!found) {
    complain_of(command, found.error());
    return std::nullopt;
  }
  Place place{.destination = std::move(*found), .target = {}};
  const Destination& destination = *place.destination;
  if (destination.kind == DestinationKind::absent || waits_for_reader(destination)) return place;
  place.target = open_target(destination, stop);
  if (!place.target) return std::nullopt;
  return place;
}

std::optional<Report> move(const net::Connection& connection, const Facts& source,
                           const Target& target, const CommonArguments& common, const Stop& stop) {
  Progress progress{common.progress, common.quiet, std::nullopt};
  const auto facts = probe(target.descriptor, target.name);
  const Options options{.wishes = common.wishes,
                        .fallback_contract = Contract::live,
                        .idle_timeout = common.idle_timeout,
                        .reserve = facts ? best_reserve(*facts, false) : Reserve::nothing,
                        .truncate = target.truncate,
                        .stop = stop,
                        .source_name = connection.peer,
                        .destination_name = target.name};
  auto report = transfer(make_body(connection.socket.ref(), source, common, progress),
                         Plain{target.descriptor}, options);
  if (report) return std::move(*report);
  complain(command, "write", target.name, report.error());
  return std::nullopt;
}

int take(const net::Connection& connection, Place place, const PeerArguments& arguments,
         const Stop& stop) {
  const CommonArguments& common = arguments.common;
  const auto source = probe(connection.socket.ref(), connection.peer);
  if (!source) {
    complain(command, "receive from", connection.peer, source.error());
    return status_failed;
  }
  if (!place.target && place.destination->kind == DestinationKind::absent) {
    // A refusal makes no file.
    const auto wanted = facts_of_new_file(command, *place.destination);
    if (!wanted) return status_failed;
    const auto refused = refused_before(command, *source, *wanted, common.wishes, Contract::live);
    if (refused) return deliver(*refused, common, stopping_signal());
  }
  if (!place.target) place.target = open_target(*place.destination, stop);
  if (!place.target) return status_of_stop();
  auto report = move(connection, *source, *place.target, common, stop);
  if (!report) return status_failed;
  report->command = command;
  add_connection(connection, arguments, *report);
  close_target(*place.target, *report);
  return deliver(*report, common, stopping_signal());
}

}  // namespace

int receive(const PeerArguments& arguments, const Stop& stop) {
  const CommonArguments& common = arguments.common;
  if (!methods_exist(command, common.wishes)) return status_usage;
  if (!address_is_valid(command, arguments.address)) return status_usage;
  if (!report_has_a_place(command, common, arguments.file == "-")) return status_usage;
  auto place = find_place(arguments.file, stop);
  if (!place) return status_of_stop();
  const bool exists = place->destination && place->destination->kind != DestinationKind::absent;
  if (exists && !report_file_is_free(command, arguments.common, place->destination->status)) {
    return status_usage;
  }
  const auto connection = open_peer(command, arguments, stop);
  if (!connection) return status_of_stop();
  return take(*connection, std::move(*place), arguments, stop);
}

}  // namespace headrace::cli
