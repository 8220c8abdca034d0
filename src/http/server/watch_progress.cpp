#include "http/server/watch_progress.hpp"

#include <algorithm>

namespace headrace::http::server {

WatchProgress::WatchProgress(const Limits& limits, Clock::time_point now)
    : limits_(limits), alive_(now), window_start_(now) {}

WatchProgress::Verdict WatchProgress::look(Clock::time_point now, std::int64_t progress) {
  if (!progress_) {
    window_start_ = now;
    window_progress_ = progress;
  }
  if (!progress_ || progress > *progress_) alive_ = now;
  progress_ = progress;
  if (now - alive_ >= limits_.idle) return Verdict::silent;
  if (now - window_start_ < window) return Verdict::alive;
  const std::int64_t gained = progress - window_progress_;
  const auto wanted = static_cast<std::int64_t>(limits_.min_rate) *
                      std::chrono::duration_cast<std::chrono::seconds>(now - window_start_).count();
  window_start_ = now;
  window_progress_ = progress;
  return gained < wanted ? Verdict::too_slow : Verdict::alive;
}

void WatchProgress::excuse(Clock::time_point now, std::int64_t progress) {
  alive_ = now;
  progress_ = progress;
  window_start_ = now;
  window_progress_ = progress;
}

Clock::time_point WatchProgress::next_look(Clock::time_point now) const {
  const auto quarter = std::max<Clock::duration>(limits_.idle / 4, std::chrono::milliseconds{1});
  return std::min(now + quarter, window_start_ + window);
}

}  // namespace headrace::http::server
