#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "http/server/cached_file.hpp"
#include "http/server/connection.hpp"
#include "http/server/file_body.hpp"
#include "http/server/outgoing.hpp"
#include "transfer/task.hpp"

namespace headrace::http::server {

/// A file's bytes on their way to a client, by a transfer that takes turns with others.
class FileAnswer final : public Activity {
 public:
  /// `answer` has content of `file`; `head` was begun by it.
  FileAnswer(Connection& connection, std::shared_ptr<CachedFile> file, std::string head,
             Answer answer);

  Step advance() override;
  [[nodiscard]] Life life() const override;
  Step time_out() override;

 private:
  [[nodiscard]] bool may_go_on() const;
  [[nodiscard]] bool would_sleep();
  void look_at(const Stretch& stretch);
  void take_turn();
  Step wait();
  void wake_at(Clock::time_point when);
  Step finish();

  Connection& connection_;
  std::shared_ptr<CachedFile> file_;
  Descriptor own_;  // the same file, for this transfer alone; none: it cannot be had
  std::string head_;
  Answer answer_;
  Body body_;
  Options options_;
  Result<Facts> facts_;
  std::optional<Task> task_;
  Need need_{.what = Need::What::turn};
  int quick_looks_ = 4;  // at what is acknowledged
  bool first_ = true;
  Stretch looked_at_;    // is in memory, or
  bool cold_ = false;    // was not when it was looked at
  Bytes budget_ = 0;     // of the next turn
  bool turned_ = false;  // on a worker, and what came of it is not looked at yet
  std::optional<Outgoing> apology_;
};

}  // namespace headrace::http::server
