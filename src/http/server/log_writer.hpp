#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "headrace/descriptor.hpp"
#include "http/server/log_line.hpp"
#include "http/server/log_queue.hpp"

namespace headrace::http::server {

/// Opens a log to append to. A FIFO is opened for reading too: so it needs no reader now, and one
/// that goes away is no error.
Result<Descriptor> open_log(const std::string& path);

/// Takes lines from a queue and writes them, on a thread of its own. What it cannot write it counts
/// as lost; a line is never joined to a part of another.
class LogWriter {
 public:
  /// `path` is for opening anew; empty: never.
  LogWriter(LogQueue& queue, Descriptor own, std::string path, LogFormat format)
      : queue_(queue),
        own_(std::move(own)),
        file_(own_.ref()),
        path_(std::move(path)),
        format_(format) {}
  LogWriter(LogQueue& queue, DescriptorRef lent, LogFormat format)
      : queue_(queue), file_(lent), format_(format) {}

  /// Until the queue is closed and all is written.
  void run();

 private:
  void write(const LogQueue::Batch& batch);
  std::size_t write_text(std::string_view text, std::size_t first);
  Result<std::size_t> write_some(std::string_view text);
  bool may_go_on(const Error& error);
  bool wait_for_room();
  void reopen();
  [[nodiscard]] bool is_lent() const { return !own_.valid(); }

  LogQueue& queue_;
  Descriptor own_;  // empty: the file is lent
  DescriptorRef file_;
  std::string path_;
  LogFormat format_;
  bool torn_ = false;      // the file ends within a line
  bool reopened_ = false;  // since `write_text` last looked
};

}  // namespace headrace::http::server
