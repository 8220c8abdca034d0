#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace headrace {

/// Sees bytes that pass through our memory, in order, each once, when they have reached the
/// destination. On the thread of the transfer; must not throw.
using Tap = std::function<void(std::span<const std::byte> bytes)>;

}  // namespace headrace
