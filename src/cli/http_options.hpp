#pragma once

#include "cli/arguments.hpp"
#include "cli/options.hpp"

namespace headrace::cli {

/// Operands and options of `put` and `get`, and their defaults.
void add_put_options(CLI::App& command, PutArguments& arguments);
void add_get_options(CLI::App& command, GetArguments& arguments);

}  // namespace headrace::cli
