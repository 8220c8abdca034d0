#include "http/server/log_queue.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <span>
#include <utility>

#include "sys/epoll.hpp"
#include "sys/poll.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::server {
namespace {

// Long enough that a busy server's lines go out a hundred at a time, short enough for who reads
// along.
constexpr std::chrono::milliseconds gathering{10};

}  // namespace

Result<void> LogQueue::open() {
  auto bell = sys::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (!bell) return std::unexpected(bell.error());
  bell_ = std::move(*bell);
  return {};
}

void LogQueue::add(std::string_view line) {
  bool wakes = false;
  {
    const std::scoped_lock lock(mutex_);
    // Once one was lost all are until the writer looks: the loss is told at one place.
    if (lost_ > 0 || lines_.size() + line.size() > limit_) {
      ++lost_;
      return;
    }
    const bool fills = !urgent_ && lines_.size() + line.size() > limit_ / 2;
    wakes = lines_.empty() || fills;
    urgent_ = urgent_ || fills;
    lines_ += line;
  }
  if (wakes) ring();
}

void LogQueue::ask_reopen() {
  {
    const std::scoped_lock lock(mutex_);
    reopen_ = urgent_ = true;
  }
  ring();
}

void LogQueue::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = urgent_ = true;
  }
  ring();
}

void LogQueue::abandon() {
  {
    const std::scoped_lock lock(mutex_);
    abandoned_ = true;
  }
  ring();
}

bool LogQueue::await_written(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const std::uint64_t ticket = ++asked_;
  urgent_ = true;
  ring();
  return progress_.wait_for(lock, patience, [&] { return granted_ >= ticket; });
}

bool LogQueue::await_end(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return progress_.wait_for(lock, patience, [&] { return ended_; });
}

std::optional<Error> LogQueue::trouble() {
  const std::scoped_lock lock(mutex_);
  return trouble_;
}

LogQueue::Batch LogQueue::take() {
  wait_for_work();
  const std::scoped_lock lock(mutex_);
  urgent_ = false;
  return {.lost_before = std::exchange(lost_before_, std::exchange(lost_, 0)),
          .lines = std::exchange(lines_, {}),
          .ticket = asked_,
          .reopen = std::exchange(reopen_, false),
          .last = closed_};
}

void LogQueue::wait_for_work() {
  pollfd bell{.fd = bell_.ref().number(), .events = POLLIN, .revents = 0};
  while (!has_work()) {
    static_cast<void>(sys::poll(std::span(&bell, 1), std::nullopt));
    silence();
  }
  // A signal never comes here, and waiting less would do no harm.
  if (!is_urgent()) static_cast<void>(sys::poll(std::span(&bell, 1), gathering));
}

bool LogQueue::has_work() {
  const std::scoped_lock lock(mutex_);
  return urgent_ || !lines_.empty();
}

bool LogQueue::is_urgent() {
  const std::scoped_lock lock(mutex_);
  return urgent_;
}

void LogQueue::done(const Batch& batch) {
  {
    const std::scoped_lock lock(mutex_);
    granted_ = batch.ticket;
  }
  progress_.notify_all();
}

void LogQueue::end() {
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  progress_.notify_all();  // under the lock: who waits may destroy this right after
}

void LogQueue::give_up(std::uint64_t lines) {
  const std::scoped_lock lock(mutex_);
  lost_before_ += lines;
}

void LogQueue::report(const Error& error) {
  const std::scoped_lock lock(mutex_);
  trouble_ = error;
}

void LogQueue::silence() {
  std::array<std::byte, sizeof(std::uint64_t)> count{};
  static_cast<void>(sys::read(bell_.ref(), count));
}

bool LogQueue::abandoned() {
  const std::scoped_lock lock(mutex_);
  return abandoned_;
}

bool LogQueue::take_reopen() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(reopen_, false);
}

void LogQueue::ring() {
  constexpr std::uint64_t one = 1;
  // Fails only where the counter is full, and then it is readable anyway.
  static_cast<void>(sys::write(bell_.ref(), std::as_bytes(std::span(&one, 1))));
}

}  // namespace headrace::http::server
