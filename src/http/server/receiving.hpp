#pragma once

#include <optional>
#include <vector>

#include "http/server/connection.hpp"
#include "http/server/outgoing.hpp"
#include "transfer/task.hpp"

namespace headrace::http::server {

/// The body of a request on its way to wherever it goes; then the answer.
class Receiving : public Activity {
 public:
  Step advance() final;
  [[nodiscard]] Life life() const final;

 protected:
  /// Takes what was read behind the head and belongs to the body; of a chunked one all of it.
  explicit Receiving(Connection& connection);

  /// What is left to be said when nothing more is to be received. Absent: not so yet.
  virtual std::optional<Answer> outcome() = 0;
  /// The client waits to be told that the body should come, and it should.
  [[nodiscard]] virtual bool is_asked_first() const = 0;
  virtual Step take_turn() = 0;

  [[nodiscard]] Connection& connection() const { return connection_; }
  [[nodiscard]] std::span<const std::byte> ahead() const { return ahead_; }
  [[nodiscard]] bool asked() const { return asked_; }
  void ask_no_more() { asked_ = true; }
  [[nodiscard]] bool answering() const { return answer_.has_value(); }
  void start_task(const Body& body, Plain destination, const Options& options);
  [[nodiscard]] bool has_task() const { return task_.has_value(); }
  [[nodiscard]] Task& task() { return *task_; }
  /// One turn; absent: it is not over yet. Else the report, and the task is gone.
  std::optional<Report> turn(Bytes budget);
  void drop_task() { task_.reset(); }

 private:
  [[nodiscard]] bool may_go_on() const;
  Step wait();

  Connection& connection_;
  std::vector<std::byte> ahead_;
  bool asked_ = false;               // 100 Continue was sent, or is not wanted
  std::optional<Outgoing> interim_;  // 100 Continue
  std::optional<Task> task_;
  Need need_{.what = Need::What::turn};
  std::optional<Outgoing> answer_;
};

}  // namespace headrace::http::server
