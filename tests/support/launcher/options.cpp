#include "support/launcher/options.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "support/launcher/calls.hpp"
#include "support/short_call.hpp"

namespace headrace::testing {
namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
  return whole ? std::optional{number} : std::nullopt;
}

// What one option does to the denial before it; false: its value is no good.
using Setter = bool (*)(Denial& denial, const std::string& value);

bool set_errno(Denial& denial, const std::string& value) {
  const auto number = errno_of(value);
  if (number) denial.answer = {Answer::Kind::error, *number};
  return number.has_value();
}
bool set_result(Denial& denial, const std::string& value) {
  const auto number = number_of<std::int64_t>(value);
  if (number) denial.answer = {Answer::Kind::result, *number};
  return number.has_value();
}
bool set_most(Denial& denial, const std::string& value) {
  const auto number = number_of<std::int64_t>(value);
  if (number) denial.answer = {Answer::Kind::most, *number};
  return number && *number > 0 && can_be_shortened(denial.call);
}
bool set_at(Denial& denial, const std::string& value) {
  const auto number = number_of<std::uint64_t>(value);
  if (number) denial = denial.at(*number);
  return number && *number > 0;
}
bool set_from(Denial& denial, const std::string& value) {
  const auto number = number_of<std::uint64_t>(value);
  if (number) denial = denial.from(*number);
  return number && *number > 0;
}
bool set_on(Denial& denial, const std::string& value) {
  static const std::map<std::string, On> kinds{
      {"file", On::file}, {"socket", On::socket}, {"pipe", On::pipe}};
  const auto found = kinds.find(value);
  if (found != kinds.end()) denial.on = found->second;
  return found != kinds.end();
}
bool set_under(Denial& denial, const std::string& value) {
  denial.under = value;
  return value.starts_with('/');
}

const std::map<std::string, Setter>& setters() {
  static const std::map<std::string, Setter> all{
      {"--errno", set_errno}, {"--result", set_result}, {"--most", set_most},  {"--at", set_at},
      {"--from", set_from},   {"--on", set_on},         {"--under", set_under}};
  return all;
}

bool add_call(Options& options, const std::string& name) {
  const NamedCall* const found = find_call(name);
  if (found == nullptr) return false;
  options.denials.push_back({.call = found->call, .answer = {}, .match = found->match});
  options.names.push_back(name);
  return true;
}

bool set_limit(Options& options, const std::string& value) {
  const auto seconds = number_of<unsigned>(value);
  if (seconds) options.limit = std::chrono::seconds(*seconds);
  return seconds && *seconds > 0;
}

bool take(Options& options, const std::string& option, const std::string& value) {
  if (option == "--call") return add_call(options, value);
  if (option == "--limit") return set_limit(options, value);
  if (option == "--told") {
    options.told = value;
    return true;
  }
  const auto found = setters().find(option);
  if (found == setters().end() || options.denials.empty()) return false;
  return found->second(options.denials.back(), value);
}

}  // namespace

std::expected<Options, std::string> parse(const std::vector<std::string>& arguments) {
  Options options;
  std::size_t at = 0;
  for (; at + 1 < arguments.size() && arguments[at] != "--"; at += 2) {
    if (take(options, arguments[at], arguments[at + 1])) continue;
    return std::unexpected("wrong or misplaced: " + arguments[at] + " " + arguments[at + 1]);
  }
  if (at >= arguments.size() || arguments[at] != "--") return std::unexpected("no -- COMMAND");
  options.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1, arguments.end());
  if (options.command.empty()) return std::unexpected("no command after --");
  if (options.denials.empty() || options.denials.size() > most_counts) {
    return std::unexpected("one --call at least, and not too many");
  }
  return options;
}

}  // namespace headrace::testing
