#include "methods/send_zerocopy/engine.hpp"

#include <sys/socket.h>

#include <cerrno>

#include "methods/send_zerocopy/error_queue.hpp"
#include "methods/send_zerocopy/reasons.hpp"
#include "methods/support/errno_table.hpp"
#include "methods/support/reasons.hpp"
#include "sys/read_write.hpp"

namespace headrace {
namespace {

constexpr Bytes default_buffer = 256 * kibibyte;
constexpr Bytes largest_buffer = 4 * mebibyte;
// Of all buffers: twice what a send buffer commonly grows to, and what an ordinary user may have
// locked at once (RLIMIT_MEMLOCK), against which the kernel counts these pages.
constexpr Bytes memory = 8 * mebibyte;
constexpr Bytes most_buffers = 64;  // the kernel's memory for notifications is small, too
// More than can be outstanding in all but the oddest cases; the rest waits for the next turn.
constexpr int notices_at_once = 256;

bool has_number(const Error& error, int number) { return error.code.value() == number; }

}  // namespace

SendZerocopyEngine::SendZerocopyEngine(const Job& job)
    : JobEngine(job),
      reader_(job.source.descriptor, job.source_facts),
      size_(static_cast<std::size_t>(
          std::clamp(job.buffer.value_or(default_buffer), Bytes{1}, largest_buffer))),
      most_(static_cast<std::size_t>(std::clamp(memory / size_, Bytes{2}, most_buffers))) {}

// With sends under way the option stays as it is: it keeps the next engine on this socket from
// taking their notifications for its own. The pages are the kernel's until it has done with them.
SendZerocopyEngine::~SendZerocopyEngine() {
  if (is_set_ && collect() && ledger_.outstanding() == 0) put_option_back();
}

void SendZerocopyEngine::put_option_back() {
  const auto restored = sys::setsockopt(socket(), sys::option::zerocopy, 0);
  static_cast<void>(restored);  // set by us a moment ago; a socket that broke does not need it
  is_set_ = false;
}

Progress SendZerocopyEngine::advance(Bytes budget) {
  if (verdict_) return await_completions();
  if (!is_set_ && !set_up()) return progress_;
  const Progress progress = turn(budget);
  if (progress.ending == Ending::paused || progress.ending == Ending::failed) return progress;
  verdict_ = progress;
  return await_completions();
}

// The option first: a socket that does not take it may have no error queue, and a recvmsg(2) that
// asks for one would take the peer's bytes.
bool SendZerocopyEngine::set_up() {
  const auto before = sys::getsockopt(socket(), sys::option::zerocopy);
  if (!before) {
    refused_by(before.error(), no_zerocopy);
  } else if (*before != 0) {
    refused(zerocopy_in_use);
  } else if (const auto set = sys::setsockopt(socket(), sys::option::zerocopy, 1); !set) {
    refused_by(set.error(), no_zerocopy);
  } else if (is_set_ = true; !collect()) {  // nobody could tell us when a buffer is free
    refused(no_zerocopy);
    put_option_back();
  }
  return is_set_;
}

Progress SendZerocopyEngine::turn(Bytes budget) {
  const Bytes start = progress_.moved;
  while (remaining() > 0) {
    const Bytes moved = progress_.moved - start;
    if (unsent() == 0) {
      if (turn_is_over(moved, budget)) return paused(Wait::nothing);
      const Step filled = fill(std::min(remaining(), budget - moved));
      if (filled == Step::stopped) return progress_;
      if (filled == Step::ended) break;
    }
    if (send() == Step::stopped) return progress_;
  }
  return finished();
}

// While sends are under way, their notifications make poll(2) answer POLLERR for the destination:
// not the time to wait for the source with an eye on it.
SendZerocopyEngine::Step SendZerocopyEngine::fill(Bytes most) {
  if (!take_free_buffer()) return Step::stopped;
  const auto room = buffers_[current_].bytes().first(next_request(most, size_));
  const auto step = reader_.read(room, source_offset());
  progress_.calls += reader_.take_calls();
  if (!step) {
    stopped_by(step.error(), ledger_.outstanding() > 0 ? Wait::timer : Wait::source_readable);
    return Step::stopped;
  }
  if (!believe(*step, room.size(), "read")) return Step::stopped;
  begin_ = 0;
  end_ = *step;
  count_stranded();
  return *step == 0 ? Step::ended : Step::moved;
}

// One that the kernel has done with before a new one: its pages are at hand, and warm.
bool SendZerocopyEngine::take_free_buffer() {
  if (!collect()) return false;
  for (std::size_t at = 0; at < buffers_.size(); ++at) {
    if (ledger_.holds(at)) continue;
    current_ = at;
    return true;
  }
  if (buffers_.size() == most_) {
    paused(Wait::timer);
    return false;
  }
  auto buffer = PageBuffer::allocate(size_);
  if (!buffer) {
    if (buffers_.empty()) refused_by(buffer.error(), no_memory);
    if (!buffers_.empty()) paused(Wait::timer);
    return false;
  }
  current_ = buffers_.size();
  buffers_.push_back(std::move(*buffer));
  return true;
}

SendZerocopyEngine::Step SendZerocopyEngine::send() {
  const std::span<const std::byte> rest = buffers_[current_].bytes().subspan(begin_, end_ - begin_);
  auto step = sys::send(socket(), rest, MSG_ZEROCOPY | MSG_DONTWAIT | MSG_NOSIGNAL);
  ++progress_.calls;
  const bool pages_taken = step.has_value();
  if (!step && has_number(step.error(), ENOBUFS)) step = send_copied(rest);
  if (!step && has_number(step.error(), ENOBUFS)) {
    paused(Wait::timer);
    return Step::stopped;
  }
  if (!step) {
    stopped_by(step.error(), Wait::destination_writable);
    return Step::stopped;
  }
  if (!add_moved(*step, rest.size(), "send")) return Step::stopped;
  if (pages_taken) {
    ledger_.sent(current_, *step);
  } else {
    ++plain_.sends;
    plain_.bytes += *step;
  }
  if (job_.tap != nullptr) (*job_.tap)(rest.first(*step));
  begin_ += *step;
  count_stranded();
  return Step::moved;
}

// The kernel has no memory for notifications, or may lock no more pages. Completions free both;
// with none to come the limit is smaller than this piece, and it goes without.
Result<std::size_t> SendZerocopyEngine::send_copied(std::span<const std::byte> bytes) {
  if (ledger_.outstanding() > 0) return fail("send", ENOBUFS);
  ++progress_.calls;
  return sys::send(socket(), bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
}

// Reads what notifications there are. False, and `progress_` has failed, where they cannot be had.
bool SendZerocopyEngine::collect() {
  for (int count = 0; count < notices_at_once; ++count) {
    const auto notice = sys::recvmsg_error_queue(socket());
    if (!notice && meaning_of(notice.error(), false) == Meaning::try_again) return true;
    if (!notice) {
      failed(notice.error());
      return false;
    }
    if (const auto& done = *notice) ledger_.completed(done->first, done->last, done->copied);
  }
  return true;
}

Progress SendZerocopyEngine::await_completions() {
  if (!collect()) return progress_;
  progress_ = *verdict_;
  if (ledger_.outstanding() == 0) return progress_;
  progress_.error.reset();
  progress_.reason.reset();
  return paused(Wait::timer);
}

std::vector<std::string> SendZerocopyEngine::notes() const {
  std::vector<std::string> notes;
  const auto& [copied, copied_bytes] = ledger_.copied();
  const std::uint64_t completed = copied + ledger_.uncopied().sends;
  const std::string all = std::to_string(completed) + " sends completed ";
  if (copied > 0) {
    notes.push_back(std::to_string(copied) + " of " + all + "as COPIED (" +
                    std::to_string(copied_bytes) + " bytes): the kernel copied them after all");
  } else if (completed > 0) {
    notes.push_back(all + "without a copy");
  }
  if (plain_.sends > 0) {
    notes.push_back(std::to_string(plain_.sends) + " sends (" + std::to_string(plain_.bytes) +
                    " bytes) without MSG_ZEROCOPY: ENOBUFS with none under way");
  }
  if (ledger_.outstanding() > 0) {
    notes.push_back(std::to_string(ledger_.outstanding()) + " sends are not completed");
  }
  return notes;
}

std::optional<unsigned> SendZerocopyEngine::copies_per_byte() const {
  if (ledger_.copied().sends + plain_.sends > 0) return 2;
  if (ledger_.uncopied().sends > 0) return 1;
  return std::nullopt;
}

}  // namespace headrace
