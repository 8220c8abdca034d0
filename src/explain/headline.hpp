#pragma once

#include <optional>
#include <string>

#include "headrace/report.hpp"

namespace headrace::explain {

/// The first line of a text report. Alone it tells a failure with its count and its cause: it is
/// all that a quiet command prints.
std::string headline(const Report& report);

/// What ended a transfer that is not whole. A failed leg comes before what went wrong afterwards,
/// e.g. in closing.
std::optional<Error> cause_of(const Report& report);

/// False for methods nobody asked for: those are in the JSON report and in a plan's text.
bool worth_saying(const Refusal& refusal);

}  // namespace headrace::explain
