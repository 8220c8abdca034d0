#pragma once

#include <string>

#include "headrace/plan.hpp"
#include "headrace/report.hpp"

namespace headrace {

/// A report for people, several lines, ending in a newline. Computes nothing new.
std::string to_text(const Report& report);
/// A report as one line of JSON, schema 1 (docs/report-json.md), without a newline.
std::string to_json(const Report& report);

/// A plan for people: what would be taken, what was passed over and why, the facts behind it and
/// the consistency contract that follows.
std::string to_text(const Plan& plan, const Facts& source, const Facts& destination);
std::string to_json(const Plan& plan, const Facts& source, const Facts& destination);

/// What can be done about this failure, as a short clause; empty where nothing is known.
/// `destination` says on which side it happened.
std::string advice(const Error& error, const Facts& source, const Facts& destination);

/// "1.5GiB", "64KiB", "17B": binary units, at most one decimal.
std::string format_size(Bytes bytes);

}  // namespace headrace
