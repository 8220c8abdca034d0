#include "checked/body_hash.hpp"

#include <chrono>

#include "net/wait.hpp"

namespace headrace::checked {
namespace {

// Under `stable` a clone of the source may be sent, which only the transfer has: what is read from
// the source itself later may be newer. A receiver reads its own new file.
bool may_differ_when_reread(const Body& body, const Options& options, const Readable& again) {
  const Contract contract = options.wishes.contract.value_or(options.fallback_contract);
  return contract == Contract::stable && again.file == descriptor_of(body.pieces.front());
}

// The plan that transfer() will make, as far as it can be known before.
bool bytes_pass_anyway(const Body& body, Plain destination, const Options& options) {
  const auto source = probe(descriptor_of(body.pieces.front()));
  const auto target = probe(destination.descriptor);
  if (!source || !target) return false;
  const Plan plan =
      make_plan(all_methods(), *source, *target, options.wishes, options.fallback_contract);
  return !plan.usable.empty() && plan.usable.front()->shows_bytes;
}

Result<Moved> move_tapped(Body body, Plain destination, const Options& options) {
  Hash hash;
  Hashed hashed;
  auto report = transfer(headrace::hashed(std::move(body),
                                          [&](std::span<const std::byte> bytes) {
                                            const auto start = net::Clock::now();
                                            hash.add(bytes);
                                            const std::chrono::duration<double> elapsed =
                                                net::Clock::now() - start;
                                            hashed.seconds += elapsed.count();
                                            hashed.bytes += bytes.size();
                                          }),
                         destination, options);
  if (!report) return std::unexpected(report.error());
  hashed.digest = hash.value();
  return Moved{.report = std::move(*report), .hashed = hashed};
}

Result<Moved> move_beside(Body body, Plain destination, const Options& options,
                          SecondRead& reader) {
  auto report = transfer(observed(std::move(body), [&](Bytes moved) { reader.moved(moved); }),
                         destination, options);
  if (!report) return std::unexpected(report.error());
  Moved moved{.report = {}, .hashed = reader.finish(report->bytes)};
  moved.report = std::move(*report);
  moved.report.cpu_user += moved.hashed.cpu_user;
  moved.report.cpu_system += moved.hashed.cpu_system;
  return moved;
}

}  // namespace

Result<Moved> move_hashed(Body body, Plain destination, const Options& options,
                          const std::optional<Readable>& again) {
  if (!again || may_differ_when_reread(body, options, *again) ||
      bytes_pass_anyway(body, destination, options)) {
    return move_tapped(std::move(body), destination, options);
  }
  const auto reader = SecondRead::begin(again->file, again->start, options.stop);
  if (reader) return move_beside(std::move(body), destination, options, **reader);
  auto moved = move_tapped(std::move(body), destination, options);
  if (moved) {
    moved->report.notes.push_back("no thread for a second read: " + reader.error().code.message());
  }
  return moved;
}

void add_check(const Hashed& hashed, Report& report) {
  report.check = Check{.algorithm = std::string(digest_algorithm),
                       .digest = hexadecimal(hashed.digest),
                       .peer_digest = {},
                       .bytes = hashed.bytes,
                       .seconds = hashed.seconds,
                       .reread = hashed.reread,
                       .answer = {},
                       .name = {}};
}

}  // namespace headrace::checked
