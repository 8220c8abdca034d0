#pragma once

namespace headrace::cli {

/// Reads the command line and runs what it says; the answer is the exit status.
int run(int argc, char** argv);

}  // namespace headrace::cli
