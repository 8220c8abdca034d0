#include "http/server/log_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "sys/files.hpp"
#include "sys/poll.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::server {
namespace {

// A blocking pipe that poll(2) calls writable takes so much without waiting (PIPE_BUF).
constexpr std::size_t most_lent = 4096;

bool is(const Error& error, int number) { return error.code.value() == number; }

bool is_fifo(DescriptorRef file) {
  const auto status = sys::fstat(file);
  return status && S_ISFIFO(status->st_mode);
}

std::uint64_t count_lines(std::string_view lines) {
  return static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
}

std::size_t start_of_line(std::string_view text, std::size_t at) {
  const std::size_t end = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

Result<Descriptor> open_log(const std::string& path) {
  constexpr int flags = O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  constexpr mode_t mode = 0644;
  auto file = sys::openat(sys::working_directory, path, O_WRONLY | O_CREAT | flags, mode);
  const bool fifo = file ? is_fifo(file->ref()) : is(file.error(), ENXIO);
  return fifo ? sys::openat(sys::working_directory, path, O_RDWR | flags) : std::move(file);
}

void LogWriter::run() {
  for (bool last = false; !last;) {
    const LogQueue::Batch batch = queue_.take();
    if (batch.reopen) reopen();
    reopened_ = false;
    write(batch);
    last = batch.last;
    queue_.done(batch);
  }
  queue_.end();
}

void LogWriter::write(const LogQueue::Batch& batch) {
  std::string text(torn_ ? "\n" : "");
  const std::size_t first = text.size();
  if (batch.lost_before > 0) text += lost_line(batch.lost_before, format_);
  const std::size_t note_end = text.size();
  text += batch.lines;
  const std::size_t written = write_text(text, first);
  if (written == text.size()) return;
  const std::uint64_t untold = written < note_end ? batch.lost_before : 0;
  queue_.give_up(untold + count_lines(std::string_view(text).substr(std::max(written, note_end))));
}

/// The lines begin at `first`; what stands before ends a torn one. Returns how far it came.
std::size_t LogWriter::write_text(std::string_view text, std::size_t first) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto written = write_some(text.substr(at));
    if (written && *written > 0) {
      at += *written;
      torn_ = text[at - 1] != '\n';
    } else if (!written && !may_go_on(written.error())) {
      break;
    }
    // A new file begins with a whole line.
    if (std::exchange(reopened_, false)) at = std::max(first, start_of_line(text, at));
  }
  return at;
}

Result<std::size_t> LogWriter::write_some(std::string_view text) {
  if (is_lent()) {
    if (!wait_for_room()) return fail("poll", EAGAIN);
    text = text.substr(0, most_lent);
  }
  return sys::write(file_, std::as_bytes(std::span(text)));
}

bool LogWriter::may_go_on(const Error& error) {
  if (is(error, EINTR)) return true;
  if (!is(error, EAGAIN)) {
    queue_.report(error);
    return false;
  }
  if (!is_lent()) wait_for_room();
  return !queue_.abandoned();
}

/// True when the file takes something, or says why not; false: the queue wanted to be looked at.
bool LogWriter::wait_for_room() {
  std::array<pollfd, 2> entries{{{.fd = queue_.bell().number(), .events = POLLIN, .revents = 0},
                                 {.fd = file_.number(), .events = POLLOUT, .revents = 0}}};
  using Patience = std::optional<std::chrono::milliseconds>;
  const Patience patience = queue_.abandoned() ? Patience{0} : Patience{};
  if (!sys::poll(entries, patience)) return true;
  if (entries[0].revents != 0) {
    queue_.silence();
    if (queue_.take_reopen()) reopen();
  }
  return entries[1].revents != 0;
}

void LogWriter::reopen() {
  if (is_lent()) return;
  auto file = open_log(path_);
  if (!file) {
    queue_.report(file.error());
    return;
  }
  own_ = std::move(*file);
  file_ = own_.ref();
  torn_ = false;
  reopened_ = true;
}

}  // namespace headrace::http::server
