#include "cli/receive_checked.hpp"

#include "checked/receiver.hpp"
#include "cli/console.hpp"
#include "cli/peer.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view command = "receive";

class CheckedReceive {
 public:
  CheckedReceive(const net::Connection& connection, Place place, const PeerArguments& arguments,
                 const Stop& stop, Facts source)
      : connection_(connection),
        place_(std::move(place)),
        arguments_(arguments),
        stop_(stop),
        source_(std::move(source)),
        options_{.wishes = arguments.common.wishes,
                 .idle_timeout = arguments.common.idle_timeout,
                 .stop = stop,
                 .source_name = connection.peer},
        reception_(connection.socket.ref(), source_, options_) {}

  int run() {
    const auto header = reception_.meet();
    if (!header) return not_met(header.error());
    if (const auto opened = open(); !opened) return not_opened(opened.error());
    auto report = move(header->length);
    if (!report) {
      complain(command, "write", name(), report.error());
      reception_.decline(report.error());
      return status_failed;
    }
    report->command = command;
    add_connection(connection_, arguments_, *report);
    put_in_place(*report);
    if (place_.replacement) note_left_behind(*place_.replacement, *report);
    reception_.answer(*report);
    return deliver(*report, arguments_.common, stopping_signal());
  }

 private:
  [[nodiscard]] int not_met(const Error& error) const {
    if (stop_.requested->load()) return status_of_stop();
    complain(command, "receive from", connection_.peer, error);
    return error.code == checked::Fault::damaged ? status_mismatched : status_failed;
  }

  // A FIFO may wait for its reader longer than a peer would for us.
  Placed<void> open() {
    if (place_.replacement || place_.target) return {};
    auto target =
        wait_for_target_through(*place_.destination, stop_, arguments_.common.idle_timeout);
    if (!target) return std::unexpected(target.error());
    place_.target = std::move(*target);
    return {};
  }

  // The sender is told the same.
  int not_opened(const Obstacle& obstacle) {
    reception_.decline(obstacle.error.value_or(Error{checked::Fault::receiver_failed, "receiver"}));
    if (stop_.requested->load()) return status_of_stop();
    complain_of(command, obstacle);
    return status_failed;
  }

  [[nodiscard]] const std::string& name() const {
    return place_.replacement ? arguments_.file : place_.target->name;
  }

  Result<Report> move(std::optional<Bytes> length) {
    const DescriptorRef file =
        place_.replacement ? place_.replacement->file() : place_.target->descriptor;
    Progress progress{arguments_.common.progress, arguments_.common.quiet, length};
    const auto facts = probe(file, name());
    Options options = options_;
    // The length is only what the peer promises: it must not take the whole disk by that.
    if (facts) options.reserve = best_reserve(*facts, false);
    options.truncate = place_.target && place_.target->truncate;
    options.destination_name = name();
    Body body = make_body(connection_.socket.ref(), source_, arguments_.common, progress);
    return reception_.take(std::move(body), Plain{file}, options, place_.replacement.has_value());
  }

  // Only what is right: anything else is dropped, and the old file stays.
  void put_in_place(Report& report) {
    if (place_.target) close_target(*place_.target, report);
    if (place_.target || report.outcome != Outcome::complete) return;
    auto committed = place_.replacement->commit();
    if (committed) {
      report.notes.insert(report.notes.end(), committed->notes.begin(), committed->notes.end());
      return;
    }
    const Obstacle& obstacle = committed.error();
    report.outcome = Outcome::failed;
    report.error = obstacle.error;
    report.notes.push_back(std::string(obstacle.reason.code) + ": " + obstacle.detail);
    complain_of(command, obstacle);
  }

  const net::Connection& connection_;
  Place place_;
  const PeerArguments& arguments_;
  const Stop& stop_;
  Facts source_;
  Options options_;
  checked::Reception reception_;
};

}  // namespace

int receive_checked(const net::Connection& connection, Place place, const PeerArguments& arguments,
                    const Stop& stop) {
  auto source = probe(connection.socket.ref(), connection.peer);
  if (!source) {
    complain(command, "receive from", connection.peer, source.error());
    return status_failed;
  }
  return CheckedReceive{connection, std::move(place), arguments, stop, std::move(*source)}.run();
}

}  // namespace headrace::cli
