#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/server/common.hpp"
#include "http/server/exchange.hpp"
#include "http/server/file_cache.hpp"
#include "http/server/loop.hpp"

namespace headrace::http::server {

class Connection;

/// What the connections of one loop share. All of it belongs to the loop's thread.
class Lane {
 public:
  using WallTime = std::chrono::system_clock::time_point;

  Lane(Common& common, Loop& loop);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane();

  [[nodiscard]] Common& common() { return common_; }
  [[nodiscard]] const Configuration& configuration() const { return common_.configuration; }
  [[nodiscard]] Loop& loop() { return loop_; }
  /// To be asked for a file, or told of one: those that nobody asks for are closed after a while.
  [[nodiscard]] FileCache& files();

  /// Asked once a round.
  [[nodiscard]] WallTime wall_time();
  /// "Date: ...\r\n", formatted once a second.
  std::string_view date_line();

  /// Buffers for the length of one call, never of a wait: what came, and what is to go.
  [[nodiscard]] std::span<std::byte> input() { return input_; }
  [[nodiscard]] std::span<std::byte> output() { return output_; }
  /// For a head while it is put together: keeps its memory.
  std::string& head() {
    head_.clear();
    return head_;
  }

  void log(const Exchange& exchange, std::string_view peer) const;

  Connection& adopt(std::unique_ptr<Connection> connection);
  /// Destroys it.
  void release(Connection& connection);
  /// Idle connections end now, others after their answer. Stops the loop when none is left.
  void drain();
  [[nodiscard]] bool draining() const { return draining_; }

 private:
  void stop_when_empty();
  void close_idle_files();

  Common& common_;
  Loop& loop_;
  FileCache files_;
  Timer files_clock_;
  WallTime wall_time_;
  Clock::time_point wall_time_of_;  // the round it was asked in
  std::string date_line_;
  Time date_of_line_;
  std::vector<std::byte> input_;
  std::vector<std::byte> output_;
  std::string head_;
  std::list<std::unique_ptr<Connection>> connections_;
  bool draining_ = false;
};

}  // namespace headrace::http::server
