#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::http::server {

/// Lines on their way from many threads to the one that writes them; bounded, and nobody who adds
/// one waits.
class LogQueue {
 public:
  explicit LogQueue(Bytes limit) : limit_(limit) {}
  /// Before anything else.
  Result<void> open();

  // Any thread.
  void add(std::string_view line);  ///< with its newline; lost where `limit` bytes stand here
  void ask_reopen();
  void close();    ///< nothing comes any more: the writer ends when it has written all
  void abandon();  ///< the writer is to give up what it cannot write at once
  /// Waits until the writer has dealt with all that came before; false: not within `patience`.
  bool await_written(std::chrono::milliseconds patience);
  bool await_end(std::chrono::milliseconds patience);
  [[nodiscard]] std::optional<Error> trouble();

  // The writer's thread.
  struct Batch {
    std::uint64_t lost_before = 0;  ///< lines that are missing before these
    std::string lines;
    std::uint64_t ticket = 0;  ///< for `done`
    bool reopen = false;       ///< before writing
    bool last = false;
  };
  /// Waits for something to do. Lines are gathered for a few milliseconds, so that a busy server
  /// wakes the writer seldom.
  Batch take();
  void done(const Batch& batch);
  void end();
  /// Lines that were taken and could not be written; told before those that stand here now.
  void give_up(std::uint64_t lines);
  void report(const Error& error);

  /// Readable when the writer, waiting for its file, should look at the next two.
  [[nodiscard]] DescriptorRef bell() const { return bell_.ref(); }
  void silence();  ///< before looking
  [[nodiscard]] bool abandoned();
  bool take_reopen();  ///< true once per demand

 private:
  void ring();
  void wait_for_work();
  bool has_work();
  bool is_urgent();

  Bytes limit_;
  Descriptor bell_;  // an eventfd
  std::mutex mutex_;
  std::condition_variable progress_;
  std::string lines_;
  std::uint64_t lost_ = 0;         // behind `lines_`
  std::uint64_t lost_before_ = 0;  // before them
  std::uint64_t asked_ = 0;        // tickets: how many waits were asked for, and granted
  std::uint64_t granted_ = 0;
  std::optional<Error> trouble_;
  bool urgent_ = false;  // somebody waits, or half of the room is taken
  bool reopen_ = false;
  bool closed_ = false;
  bool abandoned_ = false;
  bool ended_ = false;
};

}  // namespace headrace::http::server
