#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/peer.hpp"
#include "cli/place.hpp"
#include "cli/receive_checked.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/target.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "receive";

std::optional<Target> open_target(const Destination& destination, const Stop& stop,
                                  Patience patience) {
  if (destination.kind == DestinationKind::written_through) {
    return open_target_through(command, destination, stop, patience);
  }
  return open_target_in_place(command, destination);
}

// The file appears, or gives up its place, when all came and is right. Until then the new content
// has no name, so it may stand ready before a peer comes.
std::optional<Place> find_place_of_new(Destination destination) {
  auto replacement = Replacement::open(std::move(destination));
  if (!replacement) {
    complain_of(command, replacement.error());
    return std::nullopt;
  }
  Place place;
  place.replacement = std::move(*replacement);
  return place;
}

// What cannot be written is refused before a peer is kept waiting. Only a peer makes a new file,
// and a FIFO may wait for its reader longer than a peer would for us.
std::optional<Place> place_at(Destination found, bool checked, const Stop& stop) {
  const bool is_file = found.kind != DestinationKind::written_through;
  if (checked && is_file) return find_place_of_new(std::move(found));
  Place place;
  place.destination = std::move(found);
  const Destination& destination = *place.destination;
  if (destination.kind == DestinationKind::absent || waits_for_reader(destination)) return place;
  place.target = open_target(destination, stop, {});  // nothing to be waited for
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
  if (!place.target) place.target = open_target(*place.destination, stop, common.idle_timeout);
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
  std::optional<Place> place;
  if (arguments.file == "-") {
    place.emplace().target = standard_output();
  } else {
    auto found = find_destination(arguments.file, "NAME");
    if (!found) {
      complain_of(command, found.error());
      return status_failed;
    }
    const bool exists = found->kind != DestinationKind::absent;
    if (exists && !report_file_is_free(command, common, found->status)) return status_usage;
    place = place_at(std::move(*found), arguments.checked, stop);
    if (!place) return status_of_stop();
  }
  const auto connection = open_peer(command, arguments, stop);
  if (!connection) return status_of_stop();
  if (arguments.checked) return receive_checked(*connection, std::move(*place), arguments, stop);
  return take(*connection, std::move(*place), arguments, stop);
}

}  // namespace headrace::cli
