#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "headrace/bytes.hpp"
#include "headrace/endpoint.hpp"
#include "headrace/reason.hpp"
#include "headrace/tap.hpp"

namespace headrace {

/// Bytes of one descriptor. Borrows it.
///
/// `offset` absent: from the descriptor's own position, which stands behind the last byte moved
/// when the transfer ends, however it ends. `offset` given: the position is not touched; only for
/// seekable sources. `length` absent: to the end as it is when the transfer starts, or, where the
/// size says nothing (pipes, sockets, /proc), until a read says so.
struct Piece {
  Plain source;
  std::optional<Bytes> offset;
  std::optional<Bytes> length;
};

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
