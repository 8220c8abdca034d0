#pragma once

#include <string>

#include "headrace/report.hpp"

namespace headrace::cli {

/// One line about a transfer that is not complete: between what, how far it came, why it ended and
/// what can be done; the refusals and the advice are left out where `report_shown` says that the
/// text report with them stands just above. Pure.
std::string failure_of(const Report& report, bool report_shown = false);

}  // namespace headrace::cli
