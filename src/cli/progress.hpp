#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/arguments.hpp"

namespace headrace::cli {

/// One line of progress: bytes, share, rate, time left. Pure; `width` is the terminal's.
std::string progress_line(Bytes moved, std::optional<Bytes> expected, double seconds, int width);

/// Draws that line on standard error, at most ten times a second, and removes it at the end.
class Progress {
 public:
  /// Draws nothing where `display` and the terminal say so; ask `wanted()`.
  Progress(ProgressDisplay display, bool quiet, std::optional<Bytes> expected);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  [[nodiscard]] bool wanted() const { return wanted_; }
  void update(Bytes moved);
  /// Removes the line, so that other text can follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool wanted_;
  bool drawn_ = false;
  std::optional<Bytes> expected_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
};

}  // namespace headrace::cli
