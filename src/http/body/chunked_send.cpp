#include "http/body/chunked_send.hpp"

#include <algorithm>
#include <cerrno>

#include "http/body/chunk_buffer.hpp"
#include "methods/support/ends.hpp"
#include "methods/support/job_engine.hpp"

namespace headrace::http {
namespace {

// What read_write was measured to be best with.
constexpr Bytes default_buffer = 256 * kibibyte;
constexpr Bytes largest_buffer = 16 * mebibyte;

class ChunkedSendEngine final : public JobEngine {
 public:
  explicit ChunkedSendEngine(const Job& job)
      : JobEngine(job),
        reader_(job.source.descriptor, job.source_facts),
        writer_(job.destination.descriptor, job.destination_facts),
        buffer_(job.head, static_cast<std::size_t>(std::clamp(job.buffer.value_or(default_buffer),
                                                              Bytes{1}, largest_buffer))) {}

  Progress advance(Bytes budget) override {
    const Bytes start = progress_.moved;
    for (;;) {
      if (!buffer_.empty()) {
        if (!drain()) return progress_;
      } else if (over_) {
        return finished();
      } else if (remaining() == 0) {
        end();
      } else if (turn_is_over(progress_.moved - start, budget)) {
        return paused(Wait::nothing);
      } else if (!fill(std::min(remaining(), budget - (progress_.moved - start)))) {
        return progress_;
      }
    }
  }

  /// Out of the source into our buffer, and out of that.
  [[nodiscard]] std::optional<unsigned> copies_per_byte() const override { return 2; }

 private:
  void end() {
    over_ = true;
    buffer_.put_last_chunk();
  }

  // Each of these is false where the turn ends with it.
  bool fill(Bytes most) {
    const auto room = buffer_.room().first(next_request(most, buffer_.room().size()));
    const auto step = reader_.read(room, source_offset());
    progress_.calls += reader_.take_calls();
    if (!step) return source_stopped(step.error());
    if (!believe(*step, room.size(), "read")) return false;
    if (*step > 0) {
      buffer_.put_chunk(*step);
      count_stranded();
    } else if (size_is_known(job_.source_facts)) {
      over_ = true;  // it was cut: only the missing end tells the receiver
    } else {
      end();
    }
    return true;
  }

  // A source that keeps us waiting must not keep the receiver waiting for the head.
  bool source_stopped(const Error& error) {
    stopped_by(error, Wait::source_readable);
    if (progress_.ending != Ending::paused || progress_.wait == Wait::nothing) return false;
    buffer_.put_head();
    return !buffer_.empty();
  }

  bool drain() {
    const auto bytes = buffer_.unsent();
    const auto step = writer_.write(bytes);
    progress_.calls += writer_.take_calls();
    if (!step) {
      stopped_by(step.error(), Wait::destination_writable);
      return false;
    }
    if (!believe(*step, bytes.size(), "write")) return false;
    if (*step == 0) {
      failed(fail("write", EIO).error());
      return false;
    }
    const auto sent = buffer_.sent(*step);
    progress_.head += sent.head;
    progress_.moved += sent.content.size();
    if (job_.tap != nullptr && !sent.content.empty()) (*job_.tap)(sent.content);
    count_stranded();
    if (!writer_.may_sleep()) return true;
    paused(Wait::nothing);
    return false;
  }

  // Bytes in the buffer are lost with it only where the source cannot be read again.
  void count_stranded() { progress_.stranded = rewindable() ? 0 : buffer_.unsent_content(); }

  Reader reader_;
  Writer writer_;
  ChunkBuffer buffer_;
  bool over_ = false;  // the source, and the last chunk is in the buffer or has gone
};

}  // namespace

Way chunked_send() {
  return {.method = &chunked_send_method, .start = [](const Job& job) -> std::unique_ptr<Engine> {
            return std::make_unique<ChunkedSendEngine>(job);
          }};
}

}  // namespace headrace::http
