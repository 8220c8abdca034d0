#include "http/client/outgoing.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "http/body/chunked_send.hpp"
#include "http/client/fault.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::client {
namespace {

// A size of 0 is what made-up files say too: only a read tells.
Result<bool> is_empty(const Facts& facts, DescriptorRef source) {
  if (facts.kind != Kind::regular || facts.size > 0 || facts.pseudo) return false;
  std::array<std::byte, 1> room{};
  const auto got = sys::pread(source, room, 0);
  if (!got) return std::unexpected(got.error());
  return *got == 0;
}

/// Settles one piece after the other.
class Settling {
 public:
  explicit Settling(Body body) { outgoing_.body = std::move(body); }

  Result<Outgoing> run() {
    Bytes total = 0;
    for (Piece& piece : outgoing_.body.pieces) {
      const auto settled = settle(piece);
      if (!settled) return std::unexpected(settled.error());
      total += piece.length.value_or(0);
    }
    if (unknown_) return in_chunks();
    total = std::min(total, outgoing_.body.limit.value_or(total));
    outgoing_.body = limited(std::move(outgoing_.body), total);
    outgoing_.length = total;
    return std::move(outgoing_);
  }

 private:
  Result<void> settle(Piece& piece) {
    if (const auto* const memory = std::get_if<Memory>(&piece.source)) {
      piece.length = memory->bytes.size();
      return {};
    }
    const DescriptorRef source = descriptor_of(piece);
    const auto facts = probe(source);
    if (!facts) return std::unexpected(facts.error());
    const auto state = look_at(source, {});
    if (!state) return std::unexpected(state.error());
    outgoing_.before.push_back(*state);
    if (!outgoing_.source) outgoing_.source = *facts;
    if (facts->seekable && !piece.offset) piece.offset = facts->position;
    if (!facts->seekable) outgoing_.repeatable = false;
    const auto empty = is_empty(*facts, source);
    if (!empty) return std::unexpected(empty.error());
    if (!*empty && !size_is_known(*facts)) {
      unknown_ = true;
      return {};
    }
    const Bytes start = piece.offset.value_or(0);
    const Bytes there = facts->size > start ? facts->size - start : 0;
    piece.length = std::min(piece.length.value_or(there), there);
    return {};
  }

  Result<Outgoing> in_chunks() {
    if (outgoing_.body.pieces.size() > 1) {
      return std::unexpected(Error{Fault::length_unknown, "put"});
    }
    outgoing_.body.pieces.front().only_way = chunked_send();
    if (!outgoing_.body.opaque) outgoing_.body.opaque = body_in_chunks;
    return std::move(outgoing_);
  }

  Outgoing outgoing_;
  bool unknown_ = false;
};

}  // namespace

Result<Outgoing> outgoing_of(Body body) { return Settling{std::move(body)}.run(); }

Result<std::optional<Change>> changed_since(const Outgoing& outgoing) {
  auto before = outgoing.before.begin();
  for (const Piece& piece : outgoing.body.pieces) {
    const DescriptorRef source = descriptor_of(piece);
    if (!source.valid()) continue;
    const auto now = look_at(source, {});
    if (!now) return std::unexpected(now.error());
    if (const auto change = change_between(*before++, *now)) return change;
  }
  return std::nullopt;
}

}  // namespace headrace::http::client
