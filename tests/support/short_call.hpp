#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "headrace/descriptor.hpp"

namespace headrace::testing {

/// What a system call was given, in the order of its arguments.
using Arguments = std::array<std::uint64_t, 6>;

struct Supervised {
  pid_t number = 0;       ///< for its memory
  DescriptorRef process;  ///< a pidfd, for its descriptors
};

/// The descriptors among a call's arguments; of a call that `short_call` does not know, and that is
/// not mmap, the first argument.
std::vector<int> descriptors_of(int call, const Arguments& arguments);

/// Whether `short_call` knows this call.
bool can_be_shortened(int call);

/// Makes another process's call in its stead, on its descriptors and its memory, with the count cut
/// to `most`. Returns what the call returned, or -errno. Ends the program for a call it does not
/// know.
std::int64_t short_call(Supervised supervised, int call, const Arguments& arguments,
                        std::size_t most);

}  // namespace headrace::testing
