#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"
#include "headrace/result.hpp"
#include "headrace/transfer.hpp"

namespace headrace::net {

/// How long a peer may keep its side open once it has acknowledged everything. Peers such as a
/// plain nc never close first; nothing of ours can be lost any more, so waiting longer only annoys.
inline constexpr std::chrono::milliseconds peer_end_grace{2000};

struct FinishLimits {
  std::optional<std::chrono::milliseconds> idle;  ///< longest time without progress; absent: none
  std::chrono::milliseconds grace = peer_end_grace;
};

/// How the end of a stream went.
struct Finish {
  /// What the peer has not acknowledged, never more than was sent. Absent where it cannot be known:
  /// on unix sockets, unless the peer has read everything (0).
  std::optional<Bytes> unacknowledged;
  bool peer_ended = false;     ///< the peer closed its side in order
  Bytes discarded = 0;         ///< what the peer sent meanwhile
  std::optional<Error> error;  ///< reset, idle too long (ETIMEDOUT), stopped (ECANCELED)
  std::string note;            ///< for the report; may be empty
};

/// Ends the sending side of a TCP or unix stream so that nothing sent is lost: half-closes, then
/// reads and throws away until the peer has ended its side and has acknowledged everything.
///
/// Closing a socket with unread input resets the connection, and a reset destroys what is still on
/// its way. Progress is bytes acknowledged or bytes arriving. Borrows the socket and does not close
/// it. Only for a stream that is complete: to the peer a half-close says that it is.
Finish finish(DescriptorRef socket, const FinishLimits& limits = {}, const Stop& stop = {});

/// For a stream that is not complete: makes the owner's close a reset, so that a TCP peer cannot
/// take what it has for all. Returns what was not acknowledged, which the reset may destroy.
/// Unix sockets know no reset: their peer sees an end, and the answer is absent.
std::optional<Bytes> abandon(DescriptorRef socket);

}  // namespace headrace::net
