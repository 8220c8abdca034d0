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
    if (!open()) {
      reception_.decline({std::make_error_code(std::errc::operation_canceled), "receiver"});
      return status_of_stop();
    }
    auto report = move(header->length);
    if (!report) {
      complain(command, "write", name(), report.error());
      reception_.decline(report.error());
      return status_failed;
    }
    report->command = command;
    add_connection(connection_, arguments_, *report);
    put_in_place(*report);
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
  bool open() {
    if (place_.replacement || place_.target) return true;
    place_.target = open_target_through(command, *place_.destination, stop_);
    return place_.target.has_value();
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
    if (facts) options.reserve = best_reserve(*facts, length.has_value());
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
