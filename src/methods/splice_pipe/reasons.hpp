#pragma once

#include "headrace/reason.hpp"

namespace headrace {

inline constexpr Reason no_pipe{"no-pipe", "the kernel gives us no pipe of our own"};

}  // namespace headrace
