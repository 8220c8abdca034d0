#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>

#include "http/server/activity.hpp"
#include "http/server/exchange.hpp"
#include "http/server/input.hpp"
#include "http/server/lane.hpp"
#include "http/server/loop.hpp"
#include "http/server/watch_progress.hpp"
#include "http/server/wire.hpp"

namespace headrace::http::server {

/// One accepted connection: reads heads, and gives each to what answers it.
///
/// One exchange at a time: the next head is taken when the answer before it is out. Belongs to its
/// lane, which destroys it. While a worker has something of it, nothing else is done with it.
class Connection final : public Handler {
 public:
  /// `loopback`: of the address that was listened on.
  Connection(Lane& lane, net::Connection connection, bool loopback);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();  // NOLINT(modernize-use-override): a Handler is never destroyed as one

  /// Begins with a head, or with `first`. Errors: it cannot be watched.
  Result<void> start(std::unique_ptr<Activity> first = nullptr);
  /// No further request: ends now where it waits for one.
  void drain();

  void ready(std::uint32_t events) override;
  void turn() override { go_on(); }

  // For what answers.
  [[nodiscard]] Lane& lane() { return lane_; }
  [[nodiscard]] Wire& wire() { return wire_; }
  [[nodiscard]] Input& input() { return input_; }
  [[nodiscard]] Exchange& exchange() { return *exchange_; }
  [[nodiscard]] bool loopback() const { return loopback_; }
  /// A request has come, or what will be answered as if it had.
  void begin_exchange();
  /// What goes on with the answer from now on.
  void become(std::unique_ptr<Activity> activity);
  /// Calls advance() at `when`, unless something else does before.
  void wake_at(Clock::time_point when) { alarm_.set(when); }
  /// Calls `work` on a worker, then advance().
  void run(std::move_only_function<void()> work);

  /// Where the lane keeps it.
  std::list<std::unique_ptr<Connection>>::iterator place;

 private:
  void go_on();
  bool take(Step step);
  bool answered();
  void given_back();
  void end();

  Step read_head();
  Step receive_head();
  Step wait_for_head();
  Step serve(std::string_view head);
  Step refuse(const Answer& refusal);

  void be_patient();
  void look();
  Step lose_patience(WatchProgress::Verdict verdict);

  Lane& lane_;
  Wire wire_;
  bool loopback_;
  std::atomic<std::size_t>* counted_ = nullptr;  // among the lane's, or those turned away
  bool on_worker_ = false;
  Input input_;
  std::size_t scanned_ = 0;  // of the input: no head ends there
  std::unique_ptr<Exchange> exchange_;
  std::unique_ptr<Activity> activity_;
  WatchProgress patience_;  // renewed for each activity and each head
  Clock::time_point head_limit_ = Clock::time_point::max();  // for a head that has begun
  Timer clock_;
  Timer alarm_;
  Watch watch_;
};

}  // namespace headrace::http::server
