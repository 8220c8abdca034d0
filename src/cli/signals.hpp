#pragma once

#include "headrace/transfer.hpp"

namespace headrace::cli {

/// Turns SIGINT, SIGTERM and SIGHUP into a stop, so that destructors run and a report is written;
/// the second of a kind ends the process at once. Ignores SIGPIPE and SIGXFSZ: the failing calls
/// tell (EPIPE, EFBIG). A signal that was ignored when the tool was started stays ignored (nohup).
/// To be called once, before any thread exists.
Result<Stop> install_signals();

/// The signal that asked for the stop; 0: none came.
int stopping_signal();

/// 128 and the number, as the shells have it; 1 for 0.
int status_of_signal(int number);

/// The exit status of a command that could not start: 130, 143... when a signal asked for the end,
/// else 1.
int status_of_stop();

}  // namespace headrace::cli
