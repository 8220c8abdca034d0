#pragma once

#include <string>

#include "headrace/report.hpp"

namespace headrace::cli {

/// One line about a transfer that is not complete: between what, how far it came, why it ended and
/// what can be done. Pure.
std::string failure_of(const Report& report);

}  // namespace headrace::cli
