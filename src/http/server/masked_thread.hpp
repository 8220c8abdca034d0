#pragma once

#include <functional>
#include <thread>

#include "headrace/result.hpp"

namespace headrace::http::server {

/// A thread that no signal sent to the process reaches, SIGPIPE of its own writes included: they
/// answer EPIPE. Faults of its own (SIGSEGV...) are told as ever.
Result<std::jthread> start_masked(std::move_only_function<void()> work);

}  // namespace headrace::http::server
