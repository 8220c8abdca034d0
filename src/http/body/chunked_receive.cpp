#include "http/body/chunked_receive.hpp"

#include <utility>

#include "http/body/body_fault.hpp"
#include "methods/support/ends.hpp"
#include "methods/support/job_engine.hpp"

namespace headrace::http {
namespace {

class ChunkedReceiveEngine final : public JobEngine {
 public:
  ChunkedReceiveEngine(const Job& job, std::shared_ptr<ChunkedInput> input)
      : JobEngine(job),
        input_(std::move(input)),
        reader_(job.source.descriptor, job.source_facts),
        writer_(job.destination.descriptor, job.destination_facts) {}

  Progress advance(Bytes budget) override {
    const Bytes start = progress_.moved;
    while (remaining() > 0) {
      const Bytes turn = progress_.moved - start;
      if (turn_is_over(turn, budget)) return paused(Wait::nothing);
      if (!decode()) return progress_;
      if (!input_->content().empty()) {
        if (!deliver(std::min(remaining(), budget - turn))) return progress_;
      } else if (input_->complete()) {
        break;
      } else if (!fill()) {
        return progress_;
      }
    }
    return finished();
  }

  /// Out of the source into our buffer, and out of that.
  [[nodiscard]] std::optional<unsigned> copies_per_byte() const override { return 2; }

 private:
  // Each of these is false where the turn ends with it.
  bool decode() {
    const auto decoded = input_->decode();
    progress_.stranded = input_->in_hand();
    if (!decoded) failed(decoded.error());
    return decoded.has_value();
  }

  bool fill() {
    const auto room = input_->room();
    const auto step = reader_.read(room, source_offset());
    progress_.calls += reader_.take_calls();
    if (!step) {
      stopped_by(step.error(), Wait::source_readable);
      return false;
    }
    if (!believe(*step, room.size(), "read")) return false;
    input_->filled(*step);
    if (*step == 0) failed(Error{BodyFault::ended_early, "body"});
    return *step > 0;
  }

  bool deliver(Bytes most) {
    const auto content = input_->content();
    const auto bytes = content.first(next_request(content.size(), most));
    const auto step = writer_.write(bytes);
    progress_.calls += writer_.take_calls();
    if (!step) {
      stopped_by(step.error(), Wait::destination_writable);
      return false;
    }
    if (!add_moved(*step, bytes.size(), "write")) return false;
    if (job_.tap != nullptr) (*job_.tap)(bytes.first(*step));
    input_->delivered(*step);
    progress_.stranded = input_->in_hand();
    if (!writer_.may_sleep()) return true;
    // A signal may have cut that write short: the caller looks before the next one sleeps.
    paused(Wait::nothing);
    return false;
  }

  std::shared_ptr<ChunkedInput> input_;
  Reader reader_;
  Writer writer_;
};

}  // namespace

Way chunked_receive(std::shared_ptr<ChunkedInput> input) {
  return {.method = &chunked_receive_method,
          .start = [input = std::move(input)](const Job& job) -> std::unique_ptr<Engine> {
            return std::make_unique<ChunkedReceiveEngine>(job, input);
          }};
}

}  // namespace headrace::http
