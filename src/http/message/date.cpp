#include "http/message/date.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "http/message/ascii.hpp"

namespace headrace::http {
namespace {

namespace chrono = std::chrono;

constexpr std::array<std::string_view, 7> weekdays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 7> long_weekdays{
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr Time first_printable = chrono::sys_days{chrono::year{0} / 1 / 1};
constexpr Time last_printable = chrono::sys_days{chrono::year{10000} / 1 / 1} - chrono::seconds{1};

/// A moment as calendar and clock have it.
struct Civil {
  chrono::year_month_day date{};
  chrono::hh_mm_ss<chrono::seconds> clock;
};

Civil civil(Time time) {
  const auto day = chrono::floor<chrono::days>(time);
  return {chrono::year_month_day{day}, chrono::hh_mm_ss{time - day}};
}

Time printable(Time time) { return std::clamp(time, first_printable, last_printable); }

std::string digits(unsigned number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.insert(0, width - std::min(width, text.size()), '0');
}

std::string year_digits(const Civil& moment) {
  return digits(static_cast<unsigned>(static_cast<int>(moment.date.year())), 4);
}
std::string day_digits(const Civil& moment) {
  return digits(static_cast<unsigned>(moment.date.day()), 2);
}
std::string clock_digits(const Civil& moment) {
  const auto two = [](auto count) { return digits(static_cast<unsigned>(count.count()), 2); };
  return two(moment.clock.hours()) + ":" + two(moment.clock.minutes()) + ":" +
         two(moment.clock.seconds());
}

/// What a text says, before anybody asks whether there is such a date.
struct Reading {
  unsigned weekday = 0;
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  chrono::seconds clock{};
};

/// Takes a text apart from its start. After a first mismatch everything fails.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  void literal(std::string_view text) {
    failed_ = failed_ || !rest_.starts_with(text);
    if (!failed_) rest_.remove_prefix(text.size());
  }
  unsigned number(std::size_t width) {
    const auto value = parse_number<unsigned>(rest_.substr(0, width));
    failed_ = failed_ || rest_.size() < width || !value;
    if (failed_) return 0;
    rest_.remove_prefix(width);
    return *value;
  }
  /// The index of the name that stands here.
  unsigned name(std::span<const std::string_view> names) {
    const auto found =
        std::ranges::find_if(names, [&](std::string_view one) { return rest_.starts_with(one); });
    failed_ = failed_ || found == names.end();
    if (failed_) return 0;
    rest_.remove_prefix(found->size());
    return static_cast<unsigned>(found - names.begin());
  }
  /// "08:49:37"
  chrono::seconds clock() {
    const chrono::hours hour{number(2)};
    literal(":");
    const chrono::minutes minute{number(2)};
    literal(":");
    const chrono::seconds second{number(2)};
    const bool leap = second.count() == 60 && hour.count() == 23 && minute.count() == 59;
    failed_ = failed_ || hour.count() > 23 || minute.count() > 59 || (second.count() > 59 && !leap);
    return hour + minute + (leap ? chrono::seconds{59} : second);
  }
  [[nodiscard]] bool starts_with(std::string_view text) const { return rest_.starts_with(text); }
  [[nodiscard]] bool done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

/// "Sun, 06 Nov 1994 08:49:37 GMT"
Reading read_fixdate(Reader& text) {
  Reading reading;
  reading.weekday = text.name(weekdays);
  text.literal(", ");
  reading.day = text.number(2);
  text.literal(" ");
  reading.month = text.name(months) + 1;
  text.literal(" ");
  reading.year = static_cast<int>(text.number(4));
  text.literal(" ");
  reading.clock = text.clock();
  text.literal(" GMT");
  return reading;
}

/// The latest date with these two digits that is not more than 50 years after `now`.
int full_year(const Reading& reading, Time now) {
  const auto today = civil(now).date;
  const int this_year = static_cast<int>(today.year());
  int year = this_year - this_year % 100 + 100 + reading.year;
  const auto too_far = [&] {
    const auto date =
        chrono::year{year} / static_cast<int>(reading.month) / static_cast<int>(reading.day);
    return date > today + chrono::years{50};
  };
  while (too_far()) year -= 100;
  return year;
}

/// "Sunday, 06-Nov-94 08:49:37 GMT"
Reading read_rfc850(Reader& text, Time now) {
  Reading reading;
  reading.weekday = text.name(long_weekdays);
  text.literal(", ");
  reading.day = text.number(2);
  text.literal("-");
  reading.month = text.name(months) + 1;
  text.literal("-");
  reading.year = static_cast<int>(text.number(2));
  text.literal(" ");
  reading.clock = text.clock();
  text.literal(" GMT");
  reading.year = full_year(reading, now);
  return reading;
}

/// "Sun Nov  6 08:49:37 1994"
Reading read_asctime(Reader& text) {
  Reading reading;
  reading.weekday = text.name(weekdays);
  text.literal(" ");
  reading.month = text.name(months) + 1;
  text.literal(" ");
  const bool one_digit = text.starts_with(" ");
  if (one_digit) text.literal(" ");
  reading.day = text.number(one_digit ? 1 : 2);
  text.literal(" ");
  reading.clock = text.clock();
  text.literal(" ");
  reading.year = static_cast<int>(text.number(4));
  return reading;
}

Reading read(Reader& reader, std::string_view text, Time now) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return read_asctime(reader);
  return comma == 3 ? read_fixdate(reader) : read_rfc850(reader, now);
}

}  // namespace

std::string print_date(Time time) {
  const Time shown = printable(time);
  const Civil moment = civil(shown);
  const chrono::weekday weekday{chrono::floor<chrono::days>(shown)};
  std::string text(weekdays.at(weekday.c_encoding()));
  text.append(", ").append(day_digits(moment)).append(" ");
  text.append(months.at(static_cast<unsigned>(moment.date.month()) - 1)).append(" ");
  text.append(year_digits(moment)).append(" ").append(clock_digits(moment)).append(" GMT");
  return text;
}

std::string print_iso_date(Time time) {
  const Civil moment = civil(printable(time));
  return year_digits(moment) + "-" + digits(static_cast<unsigned>(moment.date.month()), 2) + "-" +
         day_digits(moment) + "T" + clock_digits(moment) + "Z";
}

std::optional<Time> parse_date(std::string_view text, Time now) {
  Reader reader{text};
  const Reading reading = read(reader, text, now);
  if (!reader.done()) return std::nullopt;
  const chrono::year_month_day date{chrono::year{reading.year}, chrono::month{reading.month},
                                    chrono::day{reading.day}};
  if (!date.ok()) return std::nullopt;
  const chrono::sys_days day{date};
  if (chrono::weekday{day}.c_encoding() != reading.weekday) return std::nullopt;
  return day + reading.clock;
}

}  // namespace headrace::http
