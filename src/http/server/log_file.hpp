#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"
#include "http/server/log_line.hpp"

namespace headrace::http::server {

/// A log that many threads write and that never keeps one waiting.
///
/// A thread of its own writes the lines, gathered for a few milliseconds. What comes while
/// `queue_limit` bytes wait to be written is lost, and so is what the file does not take (a full
/// disk, a reader gone); how many lines were lost is told at their place, in a line of its own.
class LogFile {
 public:
  static constexpr Bytes queue_limit = mebibyte;
  /// How long the destructor waits for a reader or a disk; what is not written then is lost.
  static constexpr std::chrono::milliseconds last_patience{1000};

  /// Appends to the file, made where there is none. A FIFO needs no reader.
  static Result<std::unique_ptr<LogFile>> open(const std::string& path, LogFormat format);
  /// Writes to a descriptor of somebody else, whose flags stay ("-"). It stays open until the log
  /// is gone. `reopen` does nothing.
  static Result<std::unique_ptr<LogFile>> lent(DescriptorRef descriptor, LogFormat format);
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile();

  [[nodiscard]] LogFormat format() const;
  /// `line` with its newline. Never waits for the file. From any thread.
  void write(std::string_view line);
  /// Opens the path anew, for a file that was moved away. What cannot be opened leaves the old file
  /// in use; `trouble` tells. From any thread, but not from a signal handler.
  void reopen();
  /// Waits until all that was asked for before is done; false: not within `patience`.
  bool flush(std::chrono::milliseconds patience);
  /// The last failure; absent: none.
  [[nodiscard]] std::optional<Error> trouble() const;

 private:
  struct State;
  LogFile(std::shared_ptr<State> state, std::jthread thread)
      : state_(std::move(state)), thread_(std::move(thread)) {}
  static Result<std::unique_ptr<LogFile>> start(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;  // the thread's too: one that a write holds up is left behind
  std::jthread thread_;
};

}  // namespace headrace::http::server
