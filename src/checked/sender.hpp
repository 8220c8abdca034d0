#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "headrace/transfer.hpp"

namespace headrace::checked {

/// A receiver greets as soon as it is connected. One that says nothing for so long is none of ours,
/// whatever the longest silence is; a lost packet is sent again several times before.
inline constexpr std::chrono::milliseconds greeting_limit{10'000};

struct Outgoing {
  Body body;                    ///< one piece
  std::optional<Bytes> length;  ///< of all of it; absent: goes in chunks
  std::string name;             ///< for the receiver to show; may be empty
};

/// Sends `body` over a connected stream socket by the frames of docs/checked.md, and waits for the
/// receiver's answer: `complete` means that it has every byte and every byte is right.
///
/// A body of known length goes by the path transfer() chooses and is hashed by a second read beside
/// it; one of unknown length is hashed as it passes. The report counts the body's bytes alone and
/// has a `check`. Returns an Error only where the body was not begun (`Fault::not_checked`, a call
/// that failed). Borrows the socket; where it is not all right, closing it is made a reset.
Result<Report> send(Outgoing outgoing, DescriptorRef socket, const Options& options);

}  // namespace headrace::checked
