#include <algorithm>
#include <chrono>

#include "checked/sender.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/peer.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/source.hpp"
#include "net/finish.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "send";

void count_acknowledged(std::optional<Bytes> unacknowledged, Report& report) {
  if (unacknowledged) {
    report.acknowledged = report.bytes - std::min(*unacknowledged, report.bytes);
  }
}

// Half-closes and waits for the peer's end, so that nothing sent is lost to a reset. A stream that
// is not complete ends by one instead: its peer must not take a part for the whole.
void end_stream(const net::Connection& connection, const PeerArguments& arguments, const Stop& stop,
                Report& report) {
  const DescriptorRef socket = connection.socket.ref();
  if (report.outcome != Outcome::complete) {
    count_acknowledged(net::abandon(socket), report);
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  const net::Finish end = net::finish(socket, {.idle = arguments.common.idle_timeout}, stop);
  // Bytes in a send buffer are not sent yet: the time is that until the peer had them, less the
  // grace that a peer was given who keeps its side open.
  std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
  if (!end.note.empty()) waited -= std::min<decltype(waited)>(waited, net::peer_end_grace);
  report.seconds += waited.count();
  count_acknowledged(end.unacknowledged, report);
  if (!end.note.empty()) report.notes.push_back(end.note);
  if (!end.error) return;
  report.outcome = stop.requested->load() ? Outcome::interrupted : Outcome::failed;
  report.error = end.error;
}

Result<Report> send_raw(const Body& body, const net::Connection& connection,
                        const PeerArguments& arguments, Options options) {
  options.replies = Replies::discarded;
  auto report = transfer(body, Plain{connection.socket.ref()}, options);
  if (report) end_stream(connection, arguments, options.stop, *report);
  return report;
}

// Only what can be believed is promised; everything else goes in chunks.
Result<Report> send_checked(Body body, const net::Connection& connection, const Source& source,
                            const PeerArguments& arguments, const Options& options) {
  checked::Outgoing outgoing{.body = std::move(body), .length = {}, .name = {}};
  if (size_is_known(source.facts)) {
    outgoing.length = expected_bytes(source.facts, arguments.common);
  }
  if (arguments.file != "-") {
    outgoing.name = arguments.file.substr(arguments.file.rfind('/') + 1);
  }
  return checked::send(std::move(outgoing), connection.socket.ref(), options);
}

}  // namespace

int send(const PeerArguments& arguments, const Stop& stop) {
  const CommonArguments& common = arguments.common;
  if (!methods_exist(command, common.wishes)) return status_usage;
  if (!address_is_valid(command, arguments.address)) return status_usage;
  auto source = open_source(command, arguments.file, stop, common.idle_timeout);
  if (!source) return status_of_stop();
  if (!range_fits(command, source->facts, common)) return status_usage;
  if (!report_file_is_free(command, common, source->status)) return status_usage;
  const auto connection = open_peer(command, arguments, stop);
  if (!connection) return status_of_stop();

  Progress progress{common.progress, common.quiet, expected_bytes(source->facts, common)};
  const Options options{.wishes = common.wishes,
                        .fallback_contract = Contract::live,
                        .idle_timeout = common.idle_timeout,
                        .stop = stop,
                        .source_name = source->name,
                        .source_path = arguments.file == "-" ? "" : arguments.file,
                        .destination_name = connection->peer};
  Body body = make_body(source->descriptor, source->facts, common, progress);
  auto report = arguments.checked
                    ? send_checked(std::move(body), *connection, *source, arguments, options)
                    : send_raw(body, *connection, arguments, options);
  progress.clear();
  if (!report) {
    if (stop.requested->load()) return status_of_stop();
    complain(command, "send to", connection->peer, report.error());
    return status_failed;
  }
  report->command = command;
  add_connection(*connection, arguments, *report);
  return deliver(*report, common, stopping_signal());
}

}  // namespace headrace::cli
