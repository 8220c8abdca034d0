#include "http/server/receiving.hpp"

#include "http/server/answering.hpp"

namespace headrace::http::server {
namespace {

constexpr std::string_view continue_head = "HTTP/1.1 100 Continue\r\n\r\n";

// What stands behind a body of known length is the next request's.
std::span<const std::byte> ahead_of(const Input& input, const BodyFraming& framing) {
  if (framing.kind == BodyFraming::Kind::chunked) return input.bytes();
  return input.bytes().first(next_request(framing.length, input.bytes().size()));
}

}  // namespace

Receiving::Receiving(Connection& connection) : connection_(connection) {
  const auto ahead = ahead_of(connection.input(), connection.exchange().request.framing);
  ahead_.assign(ahead.begin(), ahead.end());
  connection.input().consume(ahead.size());
}

Step Receiving::advance() {
  Wire& wire = connection_.wire();
  Exchange& exchange = connection_.exchange();
  if (answer_) return answer_->advance(wire, exchange);
  if (const auto answer = outcome()) {
    wire.readable = true;  // what follows the body may have come already
    answer_.emplace(outgoing(connection_, *answer));
    return answer_->advance(wire, exchange);
  }
  if (!asked_ && is_asked_first()) {
    asked_ = true;
    interim_.emplace(std::string(continue_head), continue_head.size());
  }
  if (interim_) {
    const Step step = interim_->advance(wire, exchange);
    if (step != Step::answered) return step;
    interim_.reset();
  }
  if (!may_go_on()) return wait();
  wire.readable = false;  // what the loop says from now on is news
  return take_turn();
}

bool Receiving::may_go_on() const {
  switch (need_.what) {
    case Need::What::over:
    case Need::What::turn:
    case Need::What::destination_writable:  // files always are
      return true;
    case Need::What::source_readable:
      return connection_.wire().readable;
    case Need::What::acknowledged:
    case Need::What::tick:
    case Need::What::time:
      break;
  }
  return connection_.lane().loop().now() >= need_.when;
}

Step Receiving::wait() {
  if (need_.when != Clock::time_point::max()) connection_.wake_at(need_.when);
  return Step::waits;
}

void Receiving::start_task(const Body& body, Plain destination, const Options& options) {
  const auto socket = connection_.wire().facts();
  task_.emplace(body, destination, options,
                Known{.source = socket ? *socket : nullptr, .destination = nullptr});
}

std::optional<Report> Receiving::turn(Bytes budget) {
  need_ = task_->turn(budget);
  if (need_.what != Need::What::over) return std::nullopt;
  auto report = task_->finish();
  task_.reset();
  if (report) return std::move(*report);
  Report failed;
  failed.outcome = Outcome::failed;
  failed.error = report.error();
  return failed;
}

Activity::Life Receiving::life() const {
  if (answer_ || !task_) return connection_.wire().acknowledged();
  return {.progress = static_cast<std::int64_t>(task_->done()),
          .ours = need_.what != Need::What::source_readable};
}

}  // namespace headrace::http::server
