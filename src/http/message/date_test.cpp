#include "http/message/date.hpp"

#include <gtest/gtest.h>

namespace headrace::http {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;
using std::chrono::year;

constexpr Time now = sys_days{2026y / 11 / 30} + 23h;
constexpr Time sample = sys_days{1994y / 11 / 6} + 8h + 49min + 37s;

TEST(PrintDate, PrintsImfFixdate) {
  EXPECT_EQ(print_date(sample), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(print_date(Time{}), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(print_date(Time{1000000000s}), "Sun, 09 Sep 2001 01:46:40 GMT");
  EXPECT_EQ(print_date(sys_days{2024y / 2 / 29}), "Thu, 29 Feb 2024 00:00:00 GMT");
  EXPECT_EQ(print_date(Time{-1s}), "Wed, 31 Dec 1969 23:59:59 GMT");
}

TEST(PrintDate, CutsYearsToFourDigits) {
  EXPECT_EQ(print_date(sys_days{9999y / 12 / 31} + 24h - 1s), "Fri, 31 Dec 9999 23:59:59 GMT");
  EXPECT_EQ(print_date(sys_days{10000y / 1 / 1}), "Fri, 31 Dec 9999 23:59:59 GMT");
  EXPECT_EQ(print_date(Time::max()), "Fri, 31 Dec 9999 23:59:59 GMT");
  EXPECT_EQ(print_date(Time::min()), "Sat, 01 Jan 0000 00:00:00 GMT");
  EXPECT_EQ(print_date(sys_days{987y / 6 / 5}), "Tue, 05 Jun 0987 00:00:00 GMT");
}

TEST(PrintIsoDate, PrintsRfc3339) {
  EXPECT_EQ(print_iso_date(sample), "1994-11-06T08:49:37Z");
  EXPECT_EQ(print_iso_date(Time::max()), "9999-12-31T23:59:59Z");
}

TEST(ParseDate, ReadsAllThreeForms) {
  EXPECT_EQ(parse_date("Sun, 06 Nov 1994 08:49:37 GMT", now), sample);
  EXPECT_EQ(parse_date("Sunday, 06-Nov-94 08:49:37 GMT", now), sample);
  EXPECT_EQ(parse_date("Sun Nov  6 08:49:37 1994", now), sample);
  EXPECT_EQ(parse_date("Wed Nov 16 08:49:37 1994", now), sample + std::chrono::days{10});
}

TEST(ParseDate, ReadsTheEdgesOfTheCalendar) {
  EXPECT_EQ(parse_date("Thu, 01 Jan 1970 00:00:00 GMT", now), Time{});
  EXPECT_EQ(parse_date("Wed, 31 Dec 1969 23:59:59 GMT", now), Time{-1s});
  EXPECT_EQ(parse_date("Fri, 31 Dec 9999 23:59:59 GMT", now), sys_days{10000y / 1 / 1} - 1s);
  EXPECT_EQ(parse_date("Sat, 01 Jan 0000 00:00:00 GMT", now), sys_days{0y / 1 / 1});
  EXPECT_EQ(parse_date("Thu, 29 Feb 2024 00:00:00 GMT", now), sys_days{2024y / 2 / 29});
  EXPECT_EQ(parse_date("Tue, 29 Feb 2000 00:00:00 GMT", now), sys_days{2000y / 2 / 29});
  EXPECT_EQ(parse_date("Tue Feb 29 00:00:00 2000", now), sys_days{2000y / 2 / 29});
}

TEST(ParseDate, TakesALeapSecondForTheSecondBefore) {
  EXPECT_EQ(parse_date("Sat, 31 Dec 2016 23:59:60 GMT", now), sys_days{2017y / 1 / 1} - 1s);
}

TEST(ParseDate, PutsTwoDigitsOfAYearAtMost50YearsAhead) {
  // The weekday is the date's own, so that a wrong century is no date at all.
  EXPECT_EQ(parse_date("Monday, 30-Nov-76 00:00:00 GMT", now), sys_days{2076y / 11 / 30});
  EXPECT_EQ(parse_date("Wednesday, 01-Dec-76 00:00:00 GMT", now), sys_days{1976y / 12 / 1});
  EXPECT_EQ(parse_date("Saturday, 01-Jan-77 00:00:00 GMT", now), sys_days{1977y / 1 / 1});
  EXPECT_EQ(parse_date("Monday, 30-Nov-26 00:00:00 GMT", now), sys_days{2026y / 11 / 30});
  EXPECT_EQ(parse_date("Saturday, 01-Jan-00 00:00:00 GMT", now), sys_days{2000y / 1 / 1});
  EXPECT_EQ(parse_date("Thursday, 01-Jan-05 00:00:00 GMT", sys_days{2099y / 1 / 1}),
            sys_days{2105y / 1 / 1})
      << "across the turn of a century";
}

TEST(ParseDate, IsAbsentForDatesThatNoCalendarHas) {
  for (const std::string_view text :
       {"Mon, 29 Feb 2023 00:00:00 GMT", "Thu, 29 Feb 1900 00:00:00 GMT",
        "Mon, 31 Apr 2023 00:00:00 GMT", "Sun, 00 Nov 1994 00:00:00 GMT",
        "Sun, 32 Nov 1994 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 08:49:60 GMT", "Mon, 06 Nov 1994 08:49:37 GMT",
        "Monday, 06-Nov-94 08:49:37 GMT", "Mon Nov  6 08:49:37 1994"}) {
    EXPECT_EQ(parse_date(text, now), std::nullopt) << text;
  }
}

TEST(ParseDate, IsAbsentForGarbage) {
  for (const std::string_view text :
       {"",
        " ",
        ",",
        "garbage",
        "0",
        "784111777",
        "Sun",
        "Sun,",
        "Sun, 06 Nov 1994",
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT ",
        " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT; length=5",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT",
        "sun, 06 nov 1994 08:49:37 gmt",
        "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT",
        "Xyz, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06 Nov 94 08:49:37 GMT",
        "Sunday, 00-Nov-94 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37",
        "Sun Nov 6 08:49:37 1994",
        "Sun Nov 06 08:49:37 94",
        "Sun Nov  6 08:49:37 1994 GMT",
        "Sun Nov   6 08:49:37 1994",
        "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT"}) {
    EXPECT_EQ(parse_date(text, now), std::nullopt) << text;
  }
  EXPECT_EQ(parse_date(std::string_view("Sun, 06 Nov 1994 08:49:37 GMT\0", 30), now), std::nullopt);
}

TEST(ParseDate, ReadsEveryPrintedDate) {
  // Steps that meet every weekday, month, hour and second some time.
  for (Time time = sys_days{1600y / 1 / 1}; time < Time{sys_days{2600y / 1 / 1}};
       time += 93h + 17min + 41s) {
    ASSERT_EQ(parse_date(print_date(time), now), time) << print_date(time);
  }
}

}  // namespace
}  // namespace headrace::http
