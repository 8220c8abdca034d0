#pragma once

#include <poll.h>

#include <chrono>
#include <optional>
#include <span>

#include "headrace/result.hpp"

namespace headrace::sys {

/// ppoll(2) with the signal mask as it is. An absent timeout waits for ever. Entries with a
/// negative descriptor are ignored. Returns how many entries have something to tell; 0: the time
/// is over.
Result<int> poll(std::span<pollfd> entries, std::optional<std::chrono::milliseconds> timeout);

}  // namespace headrace::sys
