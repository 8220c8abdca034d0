#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace headrace::http {

/// UTC, in the steps that HTTP knows.
using Time = std::chrono::sys_seconds;

/// "Sun, 06 Nov 1994 08:49:37 GMT" (IMF-fixdate, RFC 9110 5.6.7). No locale, no time zone.
///
/// A field has four digits for the year: what is before year 0 or after 9999 is cut to it.
std::string print_date(Time time);
/// "1994-11-06T08:49:37Z": the same for people and JSON (RFC 3339).
std::string print_iso_date(Time time);

/// Reads all three forms: IMF-fixdate, RFC 850's and asctime's. Absent for everything else, dates
/// that no calendar has and weekdays that are not the date's included; a leap second is taken as
/// the second before it.
///
/// `now` tells what the two digits of RFC 850's year mean: never more than 50 years in the future.
std::optional<Time> parse_date(std::string_view text, Time now);

}  // namespace headrace::http
