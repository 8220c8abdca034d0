#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "headrace/explain.hpp"

namespace headrace::cli {
namespace {

constexpr std::chrono::milliseconds between_drawings{100};
constexpr int width_of_no_terminal = 80;

int terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : width_of_no_terminal;
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<long>(std::min(seconds, 359999.0));
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string bar(double share, int cells) {
  const auto full = static_cast<std::size_t>(share * cells);
  return fmt::format("[{:<{}}]", std::string(full, '#'), cells);
}

void draw(std::string_view text) {
  // A progress line that cannot be drawn is no reason to stop.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string progress_line(Bytes moved, std::optional<Bytes> expected, double seconds, int width) {
  const double rate = seconds > 0 ? static_cast<double>(moved) / seconds : 0;
  std::string line =
      fmt::format("{}  {}/s", format_size(moved), format_size(static_cast<Bytes>(rate)));
  if (expected && *expected > 0) {
    const double share = std::min(1.0, static_cast<double>(moved) / static_cast<double>(*expected));
    const double left =
        rate > 0 ? static_cast<double>(*expected - std::min(moved, *expected)) / rate : 0;
    line = fmt::format("{} of {}  {}/s  {} left", format_size(moved), format_size(*expected),
                       format_size(static_cast<Bytes>(rate)), rate > 0 ? clock_time(left) : "?");
    const int cells = std::min(40, width - static_cast<int>(line.size()) - 10);
    if (cells >= 5) line = fmt::format("{} {:3.0f}%  {}", bar(share, cells), 100 * share, line);
  }
  return line.substr(0, static_cast<std::size_t>(std::max(width - 1, 0)));
}

Progress::Progress(ProgressDisplay display, bool quiet, std::optional<Bytes> expected)
    : wanted_(display == ProgressDisplay::always ||
              (display == ProgressDisplay::automatic && !quiet && ::isatty(STDERR_FILENO) == 1)),
      expected_(expected) {}

void Progress::clear() {
  if (drawn_) draw("\r\x1b[K");
  drawn_ = false;
}

void Progress::update(Bytes moved) {
  const auto now = Clock::now();
  if (!wanted_ || now < next_) return;
  next_ = now + between_drawings;
  drawn_ = true;
  const std::chrono::duration<double> elapsed = now - start_;
  draw("\r\x1b[K" + progress_line(moved, expected_, elapsed.count(), terminal_width()));
}

}  // namespace headrace::cli
