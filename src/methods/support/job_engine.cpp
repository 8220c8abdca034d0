#include "methods/support/job_engine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "methods/support/errno_table.hpp"
#include "sys/poll.hpp"

namespace headrace {

Bytes JobEngine::remaining() const {
  return job_.bytes ? *job_.bytes - progress_.moved : everything;
}

std::optional<Bytes> JobEngine::source_offset() const {
  if (!job_.offset) return std::nullopt;
  return *job_.offset + progress_.moved;
}

bool JobEngine::turn_is_over(Bytes turn, Bytes budget) const {
  const bool stopped = job_.stop != nullptr && job_.stop->load(std::memory_order_relaxed);
  return stopped || turn >= budget;
}

Progress JobEngine::paused(Wait wait) {
  progress_.ending = Ending::paused;
  progress_.wait = wait;
  return progress_;
}

Progress JobEngine::finished() {
  progress_.ending = Ending::finished;
  return progress_;
}

Progress JobEngine::refused(Reason reason) {
  progress_.ending = Ending::refused;
  progress_.reason = reason;
  return progress_;
}

Progress JobEngine::refused_by(const Error& error, Reason reason) {
  progress_.error = error;
  return refused(reason);
}

Progress JobEngine::failed(const Error& error) {
  progress_.ending = Ending::failed;
  progress_.error = error;
  return progress_;
}

bool JobEngine::believe(std::size_t count, std::size_t asked, std::string_view call) {
  if (count <= asked) return true;
  failed(fail(call, EOVERFLOW).error());
  return false;
}

bool JobEngine::add_moved(std::size_t count, std::size_t asked, std::string_view call) {
  if (count == 0) {
    failed(fail(call, EIO).error());
    return false;
  }
  if (!believe(count, asked, call)) return false;
  progress_.moved += count;
  return true;
}

std::span<const std::byte> JobEngine::unsent_head() const {
  return job_.head.subspan(static_cast<std::size_t>(progress_.head));
}

std::optional<std::size_t> JobEngine::add_sent(std::size_t count, std::size_t asked,
                                               std::string_view call) {
  const std::size_t of_head = std::min(count, unsent_head().size());
  progress_.head += of_head;
  const std::size_t moved = count - of_head;
  if (of_head > 0 && moved == 0) return 0;
  if (!add_moved(moved, asked, call)) return std::nullopt;
  return moved;
}

Progress JobEngine::stopped_by(const Error& error, std::optional<Wait> blocked) {
  if (error.code.value() == EINTR) return paused(Wait::nothing);
  progress_.ending = classify(error, progress_.stranded, job_.destination_facts.appends);
  if (progress_.ending == Ending::paused) {
    return paused(blocked ? *blocked : blocked_end());
  }
  progress_.error = error;
  return progress_;
}

Wait JobEngine::blocked_end() const {
  std::array ends{
      pollfd{.fd = job_.source.descriptor.number(), .events = POLLIN, .revents = 0},
      pollfd{.fd = job_.destination.descriptor.number(), .events = POLLOUT, .revents = 0}};
  if (!sys::poll(ends, std::chrono::milliseconds{0})) return Wait::timer;
  if (ends[1].revents == 0) return Wait::destination_writable;
  if (ends[0].revents == 0) return Wait::source_readable;
  return Wait::timer;
}

bool source_ready(const Job& job) {
  const bool may_sleep =
      is_socket(job.source_facts.kind) || job.source_facts.kind == Kind::character_device;
  if (!may_sleep || job.source_facts.nonblocking) return true;
  std::array end{pollfd{.fd = job.source.descriptor.number(), .events = POLLIN, .revents = 0}};
  const auto ready = sys::poll(end, std::chrono::milliseconds{0});
  return ready && *ready > 0;
}

}  // namespace headrace
