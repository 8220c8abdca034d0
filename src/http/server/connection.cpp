#include "http/server/connection.hpp"

#include <algorithm>

#include "http/server/answering.hpp"
#include "http/server/closing.hpp"
#include "net/finish.hpp"

namespace headrace::http::server {
namespace {

constexpr auto never = Clock::time_point::max();

// Small requests that are there already are answered in a row, up to this many: then others.
constexpr int most_in_a_row = 16;

WatchProgress::Limits limits_of(const Configuration& configuration, bool busy) {
  // Who is slowed down by us is not slow.
  const Bytes limited = configuration.limit_rate.value_or(everything) / 2;
  return {.idle = configuration.idle_timeout,
          .min_rate = busy ? std::min(configuration.min_rate, limited) : 0};
}

}  // namespace

Connection::Connection(Lane& lane, net::Connection connection, bool loopback)
    : lane_(lane),
      wire_(std::move(connection)),
      loopback_(loopback),
      patience_(limits_of(lane.configuration(), false), lane.loop().now()),
      clock_(lane.loop().timers(), [this] { look(); }),
      alarm_(lane.loop().timers(), [this] { go_on(); }) {}

Connection::~Connection() {
  if (counted_ != nullptr) --*counted_;
}

Result<void> Connection::start(std::unique_ptr<Activity> first) {
  counted_ = first ? &lane_.common().turned_away : &lane_.common().connections;
  ++*counted_;
  activity_ = std::move(first);
  be_patient();
  auto watch = lane_.loop().watch(wire_.socket(), EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, *this);
  if (!watch) return std::unexpected(watch.error());
  watch_ = std::move(*watch);
  return {};
}

void Connection::ready(std::uint32_t events) {
  wire_.told(events);
  go_on();
}

void Connection::go_on() {
  if (on_worker_) return;
  for (int steps = 0; steps < most_in_a_row; ++steps) {
    if (!take(activity_ ? activity_->advance() : read_head())) return;
  }
  input_.keep();
  lane_.loop().again(*this);
}

// True: there is another step. False: there is none now, and maybe no connection any more.
bool Connection::take(Step step) {
  switch (step) {
    case Step::waits:
      input_.keep();
      return false;
    case Step::again:
      input_.keep();
      lane_.loop().again(*this);
      return false;
    case Step::answered:
      return answered();
    case Step::broken:
      if (exchange_) lane_.log(*exchange_, wire_.connection().peer);
      net::abandon(wire_.socket());
      end();
      return false;
    case Step::ended:
      end();
      return false;
  }
  return false;
}

bool Connection::answered() {
  lane_.log(*exchange_, wire_.connection().peer);
  const bool keeps = exchange_->keeps;
  exchange_.reset();
  activity_.reset();
  alarm_.cancel();
  if (!keeps) activity_ = std::make_unique<Closing>(*this);
  be_patient();
  return true;
}

void Connection::end() { lane_.release(*this); }

void Connection::drain() {
  if (!exchange_ && !activity_ && input_.view().empty()) end();
}

void Connection::run(std::move_only_function<void()> work) {
  on_worker_ = true;
  lane_.common().workers->run(lane_.loop(), std::move(work), [this] { given_back(); });
}

void Connection::given_back() {
  on_worker_ = false;
  go_on();
}

void Connection::become(std::unique_ptr<Activity> activity) {
  activity_ = std::move(activity);
  be_patient();
}

Step Connection::read_head() {
  const auto length = head_end(input_.view(), scanned_);
  if (!length) return receive_head();
  const std::string_view head = input_.view().substr(0, *length);
  input_.consume(*length);
  scanned_ = 0;
  head_limit_ = never;
  return serve(head);
}

Step Connection::receive_head() {
  const std::string_view begun = input_.view();
  if (begun.size() >= lane_.configuration().heads.most) {
    return refuse(answer_fault(oversized(begun)));
  }
  if (!wire_.readable) return wait_for_head();
  scanned_ = begun.size();
  switch (wire_.receive(input_, lane_.input())) {
    case Input::Received::some:
      return read_head();
    case Input::Received::nothing:
      return wait_for_head();
    case Input::Received::ended:
    case Input::Received::broken:
      break;
  }
  return Step::ended;
}

Step Connection::wait_for_head() {
  const bool begun = !input_.view().empty();
  if (!begun && lane_.draining()) return Step::ended;
  if (begun && head_limit_ == never) {
    head_limit_ = lane_.loop().now() + head_timeout_of(lane_.configuration());
    clock_.set(std::min(head_limit_, patience_.next_look(lane_.loop().now())));
  }
  return Step::waits;
}

void Connection::begin_exchange() {
  exchange_ = std::make_unique<Exchange>();
  exchange_->time = lane_.wall_time();
  exchange_->start = lane_.loop().now();
}

Step Connection::serve(std::string_view head) {
  auto parsed = parse_request(head, lane_.configuration().heads);
  if (!parsed) return refuse(answer_fault(parsed.error().code));
  begin_exchange();
  exchange_->request.head = std::move(*parsed);
  return answer(*this);
}

// Nothing behind such a head can be understood.
Step Connection::refuse(const Answer& refusal) {
  begin_exchange();
  return reply(*this, refusal);
}

void Connection::be_patient() {
  const auto now = lane_.loop().now();
  patience_ = WatchProgress{limits_of(lane_.configuration(), activity_ != nullptr), now};
  clock_.set(patience_.next_look(now));
}

void Connection::look() {
  const auto now = lane_.loop().now();
  Activity::Life life{.progress = 0, .ours = true};
  if (!on_worker_) life = activity_ ? activity_->life() : wire_.acknowledged();
  // A client that is to send a head owes us that.
  const bool excused = life.ours && (on_worker_ || activity_);
  if (excused) patience_.excuse(now, life.progress);
  const auto verdict = patience_.look(now, life.progress);
  if (verdict == WatchProgress::Verdict::alive && now < head_limit_) {
    clock_.set(std::min(head_limit_, patience_.next_look(now)));
    return;
  }
  be_patient();  // with how it ends
  if (take(lose_patience(verdict))) go_on();
}

Step Connection::lose_patience(WatchProgress::Verdict verdict) {
  if (exchange_) {
    exchange_->refusal = verdict == WatchProgress::Verdict::silent
                             ? "no progress for as long as --idle-timeout"
                             : "slower than --min-rate";
  }
  if (activity_) return activity_->time_out();
  if (input_.view().empty()) return Step::ended;
  head_limit_ = never;
  Answer late = answer_status(408);
  late.close = true;
  late.why = "the head did not come in time";
  return refuse(late);
}

}  // namespace headrace::http::server
