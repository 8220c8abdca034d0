#include "http/message/preconditions.hpp"

#include <algorithm>
#include <vector>

namespace headrace::http {
namespace {

enum class Matched { yes, no, malformed };

using Comparison = bool (*)(const EntityTag&, const EntityTag&);

/// Whether what is there now is one of those that the lines of a field name.
Matched match(const std::vector<std::string_view>& lines, const Validators& now, Comparison equal) {
  if (lines.size() == 1 && lines.front() == "*") return now.exists ? Matched::yes : Matched::no;
  Matched matched = Matched::no;
  for (const std::string_view line : lines) {
    const auto tags = parse_entity_tags(line);
    if (!tags) return Matched::malformed;
    const bool found =
        now.exists && now.tag &&
        std::ranges::any_of(*tags, [&](const EntityTag& tag) { return equal(tag, *now.tag); });
    if (found) matched = Matched::yes;
  }
  return matched;
}

std::optional<std::string_view> only(const Fields& fields, std::string_view name) {
  const auto lines = all(fields, name);
  return lines.size() == 1 ? std::optional(lines.front()) : std::nullopt;
}

/// Modified after the date of this field? Absent where the field does not count: there is none, or
/// it is no date, or the time of the last change is not known.
std::optional<bool> modified_since(const Fields& fields, std::string_view name,
                                   const Validators& now) {
  const auto value = only(fields, name);
  if (!value || !now.exists || !now.last_modified) return std::nullopt;
  const auto date = parse_date(*value, now.now);
  return date ? std::optional(*now.last_modified > *date) : std::nullopt;
}

/// Are the bytes those that the client has a part of (RFC 9110 13.1.5)?
bool if_range_holds(std::string_view value, const Validators& now) {
  if (const auto tag = parse_entity_tag(value)) return now.tag && strongly_equal(*tag, *now.tag);
  const auto date = parse_date(value, now.now);
  return date && now.last_modified_strong && now.last_modified == date;
}

bool range_counts(const Fields& fields, const Validators& now) {
  if (!now.exists || !only(fields, "Range")) return false;
  if (!find(fields, "If-Range")) return true;
  const auto value = only(fields, "If-Range");
  return value && if_range_holds(*value, now);
}

/// The two that a change is guarded with: does the client still know what is there?
bool is_what_is_expected(const Fields& fields, const Validators& now) {
  const auto if_match = all(fields, "If-Match");
  if (!if_match.empty()) return match(if_match, now, strongly_equal) == Matched::yes;
  return !modified_since(fields, "If-Unmodified-Since", now).value_or(false);
}

/// The two that spare a reader what it has, and keep a writer from replacing what is there.
bool is_news(const Fields& fields, bool reads, const Validators& now) {
  const auto if_none_match = all(fields, "If-None-Match");
  if (!if_none_match.empty()) {
    const Matched matched = match(if_none_match, now, weakly_equal);
    return matched == Matched::no || (matched == Matched::malformed && reads);
  }
  return !reads || modified_since(fields, "If-Modified-Since", now).value_or(true);
}

}  // namespace

Evaluation evaluate(const Fields& fields, std::string_view method, const Validators& validators) {
  using enum Evaluation::Outcome;
  // These select nothing, so there is nothing to compare (RFC 9110 13.2.1).
  if (method == "OPTIONS" || method == "TRACE" || method == "CONNECT") return {};
  const bool reads = method == "GET" || method == "HEAD";
  if (!is_what_is_expected(fields, validators)) return {.outcome = failed};
  if (!is_news(fields, reads, validators)) return {.outcome = reads ? not_modified : failed};
  return {.outcome = proceed, .range_counts = method == "GET" && range_counts(fields, validators)};
}

}  // namespace headrace::http
