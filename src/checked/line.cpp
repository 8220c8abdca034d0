#include "checked/line.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "net/outstanding.hpp"
#include "sys/poll.hpp"
#include "sys/read_write.hpp"

namespace headrace::checked {
namespace {

// A stop without a descriptor to wake us is looked at this often.
constexpr std::chrono::milliseconds look_at_stop_every{50};

bool again(const Error& error) {
  return error.code == std::errc::interrupted ||
         error.code == std::errc::resource_unavailable_try_again;
}

std::optional<std::chrono::milliseconds> time_left(net::Deadline until) {
  if (!until) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - net::Clock::now());
  return std::max(left, std::chrono::milliseconds{0});
}

}  // namespace

Line::Line(DescriptorRef end, const Facts& facts, const Options& options)
    : end_(end),
      is_socket_(is_socket(facts.kind)),
      reader_(end, facts),
      writer_(end, facts),
      idle_(options.idle_timeout),
      stop_(options.stop) {}

Result<void> Line::write(std::span<const std::byte> bytes) {
  Bytes written = 0;
  return write(bytes, written);
}

Result<void> Line::write(std::span<const std::byte> bytes, Bytes& written) {
  while (!bytes.empty()) {
    if (net::stop_requested(stop_)) return fail("poll", ECANCELED);
    const auto step = writer_.write(bytes);
    calls_ += writer_.take_calls();
    if (step) {
      bytes = bytes.subspan(*step);
      written += *step;
    } else if (!again(step.error())) {
      return std::unexpected(step.error());
    } else if (step.error().code != std::errc::interrupted) {
      if (const auto waited = wait(POLLOUT); !waited) return waited;
    }
  }
  return {};
}

Result<std::size_t> Line::read_some(std::span<std::byte> room, std::optional<Bytes> offset) {
  for (;;) {
    if (net::stop_requested(stop_)) return fail("poll", ECANCELED);
    const auto step = reader_.read(room, offset);
    calls_ += reader_.take_calls();
    if (step || !again(step.error())) return step;
    if (step.error().code == std::errc::interrupted) continue;
    if (const auto waited = wait(POLLIN); !waited) return std::unexpected(waited.error());
  }
}

Result<std::size_t> Line::read_all(std::span<std::byte> room) {
  std::size_t got = 0;
  while (got < room.size()) {
    const auto step = read_some(room.subspan(got));
    if (!step) return step;
    if (*step == 0) break;
    got += *step;
  }
  return got;
}

// Waits for the first byte; an end is a fault here.
Result<std::size_t> Line::peek(std::span<std::byte> room) {
  for (;;) {
    const auto step = sys::recv(end_, room, MSG_DONTWAIT | MSG_PEEK);
    if (step && *step == 0) return std::unexpected(Error{Fault::ended_early, "frame"});
    if (step || !again(step.error())) return step;
    if (const auto waited = wait(POLLIN); !waited) return std::unexpected(waited.error());
  }
}

// Silence ends where the peer takes bytes: it is slow, but alive.
Result<void> Line::wait(short event) {
  ++waits_;
  net::Deadline silence_ends = net::deadline_after(idle_);
  for (;;) {
    net::Deadline look = silence_ends;
    if (idle_) look = net::earlier(look, net::deadline_after(*idle_ / 4));
    const auto ready = poll(event, look);
    if (!ready) return std::unexpected(ready.error());
    if (*ready) return {};
    if (peer_took_bytes()) silence_ends = net::deadline_after(idle_);
    if (silence_ends && net::Clock::now() >= *silence_ends) return fail("poll", ETIMEDOUT);
  }
}

// False when the time is over.
Result<bool> Line::poll(short event, net::Deadline until) {
  const int wake = stop_.requested != nullptr ? stop_.wake.number() : -1;
  for (;;) {
    if (net::stop_requested(stop_)) return fail("poll", ECANCELED);
    std::array<pollfd, 3> ends{
        {{end_.number(), event, 0}, {wake, POLLIN, 0}, {other_.number(), POLLIN, 0}}};
    auto timeout = time_left(until);
    if (stop_.requested != nullptr && wake < 0) {
      timeout = std::min(timeout.value_or(look_at_stop_every), look_at_stop_every);
    }
    const auto count = sys::poll(ends, timeout);
    if (!count && count.error().code != std::errc::interrupted) {
      return std::unexpected(count.error());
    }
    if (!count || ends[1].revents != 0) continue;
    if (ends[2].revents != 0) return fail("poll", ECONNABORTED);
    if (ends[0].revents != 0) return true;
    if (until && net::Clock::now() >= *until) return false;
  }
}

bool Line::peer_took_bytes() {
  if (!is_socket_) return false;
  const auto before = unacknowledged_;
  unacknowledged_ = net::unacknowledged(end_);
  return before && unacknowledged_ && *unacknowledged_ < *before;
}

}  // namespace headrace::checked
