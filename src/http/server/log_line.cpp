#include "http/server/log_line.hpp"

#include <array>

#include "http/server/log_text.hpp"

namespace headrace::http::server {
namespace {

using std::chrono::system_clock;

/// A moment in UTC: an access log must not depend on the environment's time zone.
struct Calendar {
  std::chrono::year_month_day date{};
  std::chrono::hh_mm_ss<std::chrono::milliseconds> time;
};

Calendar calendar_of(system_clock::time_point moment) {
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  return {
      .date = day,
      .time = std::chrono::hh_mm_ss(std::chrono::floor<std::chrono::milliseconds>(moment - day))};
}

void append_padded(std::string& line, std::int64_t number, int width) {
  std::array<char, 20> text{};
  for (int at = width; at > 0; number /= 10) {
    text[static_cast<std::size_t>(--at)] = static_cast<char>('0' + number % 10);
  }
  line.append(text.data(), static_cast<std::size_t>(width));
}

void append_clock(std::string& line, const Calendar& calendar) {
  append_padded(line, calendar.time.hours().count(), 2);
  line += ':';
  append_padded(line, calendar.time.minutes().count(), 2);
  line += ':';
  append_padded(line, calendar.time.seconds().count(), 2);
}

// [30/Nov/2026:23:05:07 +0000]
void append_apache_time(std::string& line, system_clock::time_point moment) {
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const Calendar calendar = calendar_of(moment);
  line += '[';
  append_padded(line, static_cast<unsigned>(calendar.date.day()), 2);
  line += '/';
  line += months.at(static_cast<unsigned>(calendar.date.month()) - 1);
  line += '/';
  append_padded(line, static_cast<int>(calendar.date.year()), 4);
  line += ':';
  append_clock(line, calendar);
  line += " +0000]";
}

// "2026-11-30T23:05:07.042Z"
void append_json_time(std::string& line, system_clock::time_point moment) {
  const Calendar calendar = calendar_of(moment);
  line += '"';
  append_padded(line, static_cast<int>(calendar.date.year()), 4);
  line += '-';
  append_padded(line, static_cast<unsigned>(calendar.date.month()), 2);
  line += '-';
  append_padded(line, static_cast<unsigned>(calendar.date.day()), 2);
  line += 'T';
  append_clock(line, calendar);
  line += '.';
  append_padded(line, calendar.time.subseconds().count(), 3);
  line += "Z\"";
}

std::string_view class_name(const LoggedPath& path) {
  return path.path_class ? name_of(*path.path_class) : std::string_view{};
}

std::string_view evidence_name(const LoggedPath& path) {
  return path.evidence ? name_of(*path.evidence) : std::string_view{};
}

void append_request(std::string& line, const AccessRecord& record) {
  if (record.method.empty() && record.target.empty()) {
    line += "\"-\"";
    return;
  }
  line += '"';
  append_escaped(line, record.method);
  line += ' ';
  append_escaped(line, record.target);
  line += ' ';
  append_escaped(line, record.version);
  line += '"';
}

void append_labelled(std::string& line, std::string_view label, std::uint64_t number) {
  line += label;
  append_number(line, number);
}

/// What only some lines have; nothing where there is nothing to say.
void append_remark(std::string& line, std::string_view label, std::string_view text) {
  if (text.empty()) return;
  line += label;
  append_quoted(line, text);
}

void append_combined(std::string& line, const AccessRecord& record) {
  append_word(line, record.peer);
  line += " - - ";
  append_apache_time(line, record.time);
  line += ' ';
  append_request(line, record);
  line += ' ';
  append_padded(line, record.status, 3);
  line += ' ';
  append_number(line, record.bytes);
  line += ' ';
  append_quoted(line, record.referer);
  line += ' ';
  append_quoted(line, record.user_agent);
  line += ' ';
  append_word(line, class_name(record.path));
  line += ' ';
  append_quoted(line, record.path.legs);
  append_labelled(line, " waits=", record.path.waits);
  append_labelled(line, " head=", record.head_bytes);
  append_labelled(line, " received=", record.received);
  line += " seconds=";
  append_seconds(line, record.seconds);
  append_remark(line, " evidence=", evidence_name(record.path));
  append_remark(line, " refusal=", record.refusal);
  append_remark(line, " trouble=", record.path.trouble);
}

void append_member(std::string& line, std::string_view key, std::string_view text) {
  line += key;
  if (text.empty()) {
    line += "null";
  } else {
    append_json(line, text);
  }
}

void append_object(std::string& line, const AccessRecord& record) {
  line += R"({"time":)";
  append_json_time(line, record.time);
  append_member(line, R"(,"peer":)", record.peer);
  append_member(line, R"(,"method":)", record.method);
  append_member(line, R"(,"target":)", record.target);
  append_member(line, R"(,"version":)", record.version);
  append_labelled(line, R"(,"status":)", static_cast<std::uint64_t>(record.status));
  append_labelled(line, R"(,"bytes":)", record.bytes);
  append_labelled(line, R"(,"head_bytes":)", record.head_bytes);
  append_labelled(line, R"(,"received":)", record.received);
  line += R"(,"seconds":)";
  append_seconds(line, record.seconds);
  append_member(line, R"(,"class":)", class_name(record.path));
  append_member(line, R"(,"legs":)", record.path.legs);
  append_labelled(line, R"(,"waits":)", record.path.waits);
  append_member(line, R"(,"evidence":)", evidence_name(record.path));
  append_member(line, R"(,"refusal":)", record.refusal);
  append_member(line, R"(,"trouble":)", record.path.trouble);
  append_member(line, R"(,"referer":)", record.referer);
  append_member(line, R"(,"user_agent":)", record.user_agent);
  line += '}';
}

}  // namespace

std::string log_line(const AccessRecord& record, LogFormat format) {
  std::string line;
  constexpr std::size_t usual = 512;
  line.reserve(usual + record.target.size());
  if (format == LogFormat::json) {
    append_object(line, record);
  } else {
    append_combined(line, record);
  }
  line += '\n';
  return line;
}

std::string lost_line(std::uint64_t lines, LogFormat format) {
  if (format == LogFormat::json) return R"({"lost":)" + std::to_string(lines) + "}\n";
  return std::to_string(lines) + (lines == 1 ? " line lost\n" : " lines lost\n");
}

}  // namespace headrace::http::server
