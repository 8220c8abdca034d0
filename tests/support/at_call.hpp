#pragma once

#include <functional>

#include "headrace/descriptor.hpp"

namespace headrace::testing {

/// A system call whose first argument is that descriptor.
struct Moment {
  int call = 0;  ///< SYS_write...
  DescriptorRef descriptor;
};

/// Runs `child` in a forked process, which has the same descriptors. When it is about to make that
/// call for the first time it stands still until `meanwhile` has run in this process: whatever a
/// test wants to happen in between. Returns the exit status of the child, or 128 + the number of
/// the signal that killed it.
int run_until(const Moment& moment, const std::function<void()>& meanwhile,
              const std::function<int()>& child);

}  // namespace headrace::testing
