#pragma once

#include <cstdint>

namespace headrace::testing {

// For a child (`run_in_child`): none of these can be taken back.

/// No descriptor of number `descriptors` or higher can be had.
void limit_open_files(std::uint64_t descriptors);
/// No file grows beyond that; SIGXFSZ is ignored, so that the writer gets EFBIG.
void limit_file_size(std::uint64_t bytes);
/// Becomes the user nobody, without any capability. False when not root: the process is
/// an ordinary user's already.
bool become_nobody();

}  // namespace headrace::testing
