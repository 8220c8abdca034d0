#include "checked/chunks.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <vector>

#include "checked/line.hpp"
#include "sys/files.hpp"
#include "transfer/cpu_meter.hpp"
#include "transfer/pace.hpp"
#include "transfer/part.hpp"
#include "transfer/sigpipe_mask.hpp"

namespace headrace::checked {
namespace {

// What read_write was measured to be best with.
constexpr Bytes default_buffer = 256 * kibibyte;
constexpr Bytes largest_buffer = 16 * mebibyte;

bool is(const Error& error, int number) {
  return error.code == std::error_code(number, std::system_category());
}

// Chunks are read and written here, by no engine: that is what read_write does.
void keep_what_runs(Plan& plan) {
  std::erase_if(plan.usable, [&plan](const Method* method) {
    if (method->name == "read_write") return false;
    plan.refused.push_back({.method = method, .reason = body_in_chunks, .detail = {}});
    return true;
  });
}

/// What the two directions share: the plan, the pace, the counts.
class Chunks {
 protected:
  Chunks(const Body& body, Facts source, Facts destination, const Options& options)
      : body_(body),
        options_(options),
        pace_(body.rate, Clock::now()),
        room_(chunk_head_size +
              static_cast<std::size_t>(std::clamp(options.wishes.buffer.value_or(default_buffer),
                                                  Bytes{1}, largest_buffer))) {
    Plan plan = make_plan(all_methods(), source, destination, options.wishes,
                          options.fallback_contract, body_in_chunks);
    keep_what_runs(plan);
    report_.source = std::move(source);
    report_.destination = std::move(destination);
    report_.wishes = options.wishes;
    report_.contract = plan.contract;
    if (plan.contract == Contract::stable) report_.evidence = Evidence::read;
    report_.refused = std::move(plan.refused);
    report_.congestion.in_force = report_.destination.congestion.empty()
                                      ? report_.source.congestion
                                      : report_.destination.congestion;
    if (!plan.usable.empty()) leg_.method = plan.usable.front();
    leg_.copies_per_byte = 2;  // in and out
  }

  /// Calls `step` until it answers that it was the last one.
  template <class Step>
  Moved run(Step step) {
    const SigpipeMask mask;
    const CpuMeter cpu;
    const auto start = Clock::now();
    if (leg_.method == nullptr) {
      report_.outcome = Outcome::refused;
      return {.report = std::move(report_), .hashed = {}};
    }
    for (bool goes_on = true; goes_on;) {
      const Result<bool> stepped = step();
      if (!stepped) stopped_by(stepped.error());
      goes_on = stepped.value_or(false);
    }
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    const auto spent = cpu.spent();
    report_.seconds = leg_.seconds = elapsed.count();
    report_.cpu_user = spent.user;
    report_.cpu_system = spent.system;
    hashed_.digest = hash_.value();
    report_.bytes = leg_.bytes;
    report_.legs.push_back(std::move(leg_));
    return {.report = std::move(report_), .hashed = hashed_};
  }

  /// How much may be moved now; waits while that is nothing.
  Result<Bytes> due() {
    for (;;) {
      const Bytes allowed = pace_.allowance(leg_.bytes, Clock::now());
      if (allowed > 0) return allowed;
      const auto woken = net::wait_for({}, 0, pace_.next(leg_.bytes), options_.stop);
      if (!woken) return std::unexpected(woken.error());
      if (*woken == net::Woken::stopped) return fail("poll", ECANCELED);
    }
  }

  /// `written` of these bytes reached the destination. The rest is lost, unless the source can be
  /// read at an offset.
  void count(std::span<const std::byte> bytes, Bytes written, bool can_be_read_again) {
    const auto arrived = bytes.first(static_cast<std::size_t>(written));
    const auto start = Clock::now();
    hash_.add(arrived);
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    hashed_.seconds += elapsed.count();
    hashed_.bytes += arrived.size();
    leg_.bytes += arrived.size();
    if (!can_be_read_again) report_.stranded += bytes.size() - arrived.size();
    if (arrived.empty()) return;
    for (const Observer& observer : body_.observers) observer(leg_.bytes);
  }

  void count_calls(const Line& one, const Line& other) {
    leg_.calls = one.calls() + other.calls();
    leg_.waits = one.waits() + other.waits();
  }

  // NOLINTBEGIN(*-non-private-member-variables-in-classes): the two directions are this class
  const Body& body_;
  const Options& options_;
  Pace pace_;
  std::vector<std::byte> room_;  // a chunk behind its size
  Report report_;
  Leg leg_;
  // NOLINTEND(*-non-private-member-variables-in-classes)

 private:
  void stopped_by(const Error& error) {
    const bool stopped = is(error, ECANCELED) && net::stop_requested(options_.stop);
    report_.outcome = stopped ? Outcome::interrupted : Outcome::failed;
    // The peer has something to say, and that is the error.
    const bool called = is(error, ECONNABORTED) && error.call == "poll";
    leg_.ending = stopped || called ? Ending::paused : Ending::failed;
    if (leg_.ending == Ending::failed) leg_.error = error;
  }

  Hash hash_;
  Hashed hashed_;
};

class Sender : Chunks {
 public:
  Sender(const Body& body, DescriptorRef socket, const Facts& source, const Facts& destination,
         const Options& options)
      : Chunks(body, source, destination, options),
        piece_(body.pieces.front()),
        source_(descriptor_of(piece_), source, options),
        socket_(socket, destination, options),
        most_(least(piece_.length, body.limit).value_or(everything)) {
    source_.watch(socket);
  }

  Moved run() {
    return Chunks::run([this] { return step(); });
  }

 private:
  Result<bool> step() {
    const auto allowed = due();
    if (!allowed) return std::unexpected(allowed.error());
    const auto content = std::span(room_).subspan(chunk_head_size);
    const Bytes wanted = std::min({*allowed, most_ - leg_.bytes, Bytes{content.size()}});
    if (wanted == 0) return send(0);
    std::optional<Bytes> offset = piece_.offset;
    if (offset) *offset += leg_.bytes;
    const auto got = source_.read_some(content.first(static_cast<std::size_t>(wanted)), offset);
    if (!got) return std::unexpected(got.error());
    if (*got == 0) note_missing();
    return send(*got);
  }

  // A chunk of no bytes is the end.
  Result<bool> send(std::size_t size) {
    const auto chunk = std::span(room_).first(chunk_head_size + size);
    encode_chunk_size(static_cast<std::uint32_t>(size), chunk.first<chunk_head_size>());
    Bytes written = 0;
    const auto sent = socket_.write(chunk, written);
    count(chunk.subspan(chunk_head_size), written - std::min<Bytes>(written, chunk_head_size),
          piece_.offset.has_value());
    count_calls(source_, socket_);
    if (!sent) return std::unexpected(sent.error());
    return size > 0;
  }

  void note_missing() {
    if (!piece_.length || leg_.bytes >= *piece_.length) return;
    report_.notes.push_back("the source ended after " + std::to_string(leg_.bytes) + " of " +
                            std::to_string(*piece_.length) + " bytes");
  }

  const Piece& piece_;
  Line source_;
  Line socket_;
  Bytes most_;
};

class Receiver : Chunks {
 public:
  Receiver(const Body& body, DescriptorRef destination, const Facts& source, const Facts& target,
           const Options& options)
      : Chunks(body, source, target, options),
        destination_(destination),
        source_(descriptor_of(body.pieces.front()), source, options),
        target_(destination, target, options) {}

  Moved run() {
    return Chunks::run([this] { return step(); });
  }

 private:
  Result<bool> step() {
    if (!emptied_) {
      if (const auto emptied = empty(); !emptied) return std::unexpected(emptied.error());
    }
    if (left_ == 0) return next_chunk();
    const auto allowed = due();
    if (!allowed) return std::unexpected(allowed.error());
    const auto bytes = std::span(room_).first(std::min({Bytes{room_.size()}, *allowed, left_}));
    const auto got = source_.read_some(bytes);
    if (!got) return std::unexpected(got.error());
    if (*got == 0) return std::unexpected(Error{Fault::ended_early, "body"});
    left_ -= *got;
    Bytes written = 0;
    const auto put = target_.write(bytes.first(*got), written);
    count(bytes.first(*got), written, false);
    count_calls(source_, target_);
    if (!put) return std::unexpected(put.error());
    return true;
  }

  Result<bool> next_chunk() {
    std::array<std::byte, chunk_head_size> head{};
    const auto got = source_.read_all(head);
    if (!got) return std::unexpected(got.error());
    if (*got < head.size()) return std::unexpected(Error{Fault::ended_early, "body"});
    left_ = decode_chunk_size(head);
    return left_ > 0;
  }

  // Nothing stands in the way any more: old content goes.
  Result<void> empty() {
    emptied_ = true;
    if (!options_.truncate || report_.destination.kind != Kind::regular) return {};
    return sys::ftruncate(destination_, report_.destination.position);
  }

  DescriptorRef destination_;
  Line source_;
  Line target_;
  Bytes left_ = 0;  // of the chunk in hand
  bool emptied_ = false;
};

}  // namespace

Result<Moved> send_chunks(const Body& body, DescriptorRef socket, const Options& options) {
  auto source = probe(descriptor_of(body.pieces.front()), options.source_name);
  if (!source) return std::unexpected(source.error());
  auto destination = probe(socket, options.destination_name);
  if (!destination) return std::unexpected(destination.error());
  return Sender{body, socket, *source, *destination, options}.run();
}

Result<Moved> receive_chunks(const Body& body, DescriptorRef destination, const Options& options) {
  auto source = probe(descriptor_of(body.pieces.front()), options.source_name);
  if (!source) return std::unexpected(source.error());
  auto target = probe(destination, options.destination_name);
  if (!target) return std::unexpected(target.error());
  return Receiver{body, destination, *source, *target, options}.run();
}

}  // namespace headrace::checked
