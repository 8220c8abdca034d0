#include "http/server/lane.hpp"

#include "http/server/connection.hpp"

namespace headrace::http::server {
namespace {

// As much as a receive buffer often has at once.
constexpr std::size_t input_buffer = 64 * kibibyte;
// In front of a body that is sent with its head; longer heads go in two calls.
constexpr std::size_t room_for_head = 4 * kibibyte;

}  // namespace

Lane::Lane(Common& common, Loop& loop)
    : common_(common),
      loop_(loop),
      files_(common.site, common.most_files),
      files_clock_(loop.timers(), [this] { close_idle_files(); }),
      input_(input_buffer),
      output_(room_for_head + common.configuration.copy_limit) {}

Lane::~Lane() = default;

FileCache& Lane::files() {
  if (!files_clock_.is_set()) files_clock_.set(loop_.now() + configuration().files_idle);
  return files_;
}

// Nothing is to be done while there are none: a server without work sleeps.
void Lane::close_idle_files() {
  const auto idle = configuration().files_idle;
  files_.drop_idle(wall_time(), idle);
  if (files_.size() > 0) files_clock_.set(loop_.now() + idle / 2);
}

Lane::WallTime Lane::wall_time() {
  if (wall_time_of_ != loop_.now()) {
    wall_time_ = std::chrono::system_clock::now();
    wall_time_of_ = loop_.now();
  }
  return wall_time_;
}

std::string_view Lane::date_line() {
  const Time now = std::chrono::floor<std::chrono::seconds>(wall_time());
  if (date_line_.empty() || now != date_of_line_) {
    date_line_ = "Date: " + print_date(now) + "\r\n";
    date_of_line_ = now;
  }
  return date_line_;
}

void Lane::log(const Exchange& exchange, std::string_view peer) const {
  if (common_.log == nullptr) return;
  common_.log->write(log_line(record_of(exchange, peer), common_.log->format()));
}

Connection& Lane::adopt(std::unique_ptr<Connection> connection) {
  connections_.push_front(std::move(connection));
  connections_.front()->place = connections_.begin();
  return *connections_.front();
}

void Lane::release(Connection& connection) {
  connections_.erase(connection.place);
  stop_when_empty();
}

void Lane::drain() {
  draining_ = true;
  for (auto next = connections_.begin(); next != connections_.end();) {
    Connection& connection = **next++;  // it may be gone after this
    connection.drain();
  }
  stop_when_empty();
}

void Lane::stop_when_empty() {
  if (draining_ && connections_.empty()) loop_.stop();
}

}  // namespace headrace::http::server
