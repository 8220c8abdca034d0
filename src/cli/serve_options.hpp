#pragma once

#include "cli/arguments.hpp"
#include "cli/options.hpp"

namespace headrace::cli {

/// Operand and options of `serve`, and their defaults.
void add_serve_options(CLI::App& command, ServeArguments& arguments);

}  // namespace headrace::cli
