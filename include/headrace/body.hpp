#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "headrace/bytes.hpp"
#include "headrace/endpoint.hpp"
#include "headrace/method.hpp"
#include "headrace/reason.hpp"
#include "headrace/tap.hpp"

namespace headrace {

/// Bytes that stand in our memory already. Borrows them.
struct Memory {
  std::span<const std::byte> bytes;
};

/// The one way certain bytes can be moved, where none of the methods can do it (the framing of
/// chunks).
struct Way {
  const Method* method = nullptr;  ///< with its rule and rank; needs no `start`
  std::function<std::unique_ptr<Engine>(const Job& job)> start;
};

/// Bytes of one descriptor, or of memory. Borrows them.
///
/// `offset` and `length` are for descriptors. `offset` absent: from the descriptor's own position,
/// which stands behind the last byte moved when the transfer ends, however it ends. `offset` given:
/// the position is not touched; only for seekable sources. `length` absent: to the end as it is
/// when the transfer starts, or, where the size says nothing (pipes, sockets, /proc), until a read
/// says so.
struct Piece {
  std::variant<Plain, Memory> source;
  std::optional<Bytes> offset;
  std::optional<Bytes> length;
  /// No part of what the transfer is about (a head between parts, bytes that were read together
  /// with a head): does not lower the report's class. Of memory: goes whatever the wishes say.
  bool excepted = false;
  /// Every method is passed over for it, by the reason of `Body::opaque`.
  std::optional<Way> only_way;
};

/// The descriptor of a piece; none where it is of memory.
DescriptorRef descriptor_of(const Piece& piece);

/// Called with the bytes delivered so far, after every turn of a transfer, on its thread.
/// Must not throw.
using Observer = std::function<void(Bytes moved)>;

/// What is to be moved: a value, not a tower of readers, so that no wrapper hides the descriptor.
///
/// The functions below return a changed copy; the pieces stay visible to the planner.
struct Body {
  std::vector<Piece> pieces;   ///< moved in order
  std::optional<Bytes> limit;  ///< never a byte more than this
  std::optional<Bytes> rate;   ///< bytes per second, at most
  std::vector<Observer> observers;
  std::vector<Tap> taps;  ///< must see every byte
  std::optional<Reason>
      opaque;  ///< why the bytes must pass through our memory; absent: they need not
};

/// A body of one descriptor.
Body body_of(DescriptorRef source, std::optional<Bytes> offset = {},
             std::optional<Bytes> length = {});
/// At most `bytes` bytes of `body`. Never raises an earlier limit.
Body limited(Body body, Bytes bytes);
/// `body`, with `observer` told of its progress.
Body observed(Body body, Observer observer);
/// `body` at `bytes_per_second` or slower. Never raises an earlier rate; 0 is taken as 1.
Body paced(Body body, Bytes bytes_per_second);
/// `body`, with `tap` shown every byte that is delivered: only methods that read the bytes into our
/// memory can serve it, and the plan names the reason (`body-is-hashed`) for all others.
Body hashed(Body body, Tap tap);

}  // namespace headrace
