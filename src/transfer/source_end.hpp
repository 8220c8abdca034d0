#pragma once

#include "headrace/report.hpp"
#include "transfer/part.hpp"

namespace headrace {

/// The source gave less than it promised, or failed as a mapped one does that shrank: then the
/// report's outcome is `source_changed`. One that grew meanwhile is only noted.
///
/// `before`: what the source was; `wanted`, `moved`: of the piece that is over.
void judge_source(const Part& part, const Facts& before, Bytes wanted, Bytes moved, Report& report);

/// The report's outcome and its first change.
void source_changed(const Change& change, Report& report);

}  // namespace headrace
