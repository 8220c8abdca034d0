#include "http/message/range.hpp"

#include <algorithm>
#include <ranges>
#include <string>

#include "http/message/ascii.hpp"
#include "http/message/field.hpp"

namespace headrace::http {
namespace {

constexpr std::string_view unit = "bytes";

/// A position; what 64 bits cannot hold is beyond the end of every file.
std::optional<Bytes> position(std::string_view digits) {
  if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  return parse_number<Bytes>(digits).value_or(everything);
}

std::optional<RangeSpec> parse_spec(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view first_text = text.substr(0, dash);
  const std::string_view last_text = text.substr(dash + 1);
  RangeSpec spec{position(first_text), position(last_text)};
  if (!first_text.empty() && !spec.first) return std::nullopt;
  if (!last_text.empty() && !spec.last) return std::nullopt;
  if (!spec.first && !spec.last) return std::nullopt;
  if (spec.first && spec.last && *spec.last < *spec.first) return std::nullopt;
  return spec;
}

/// The bytes a spec means, of `size`, which is not 0; absent where there are none.
std::optional<Range> satisfied(const RangeSpec& spec, Bytes size) {
  const Bytes end = size - 1;
  if (spec.first) {
    if (*spec.first > end) return std::nullopt;
    return Range{*spec.first, std::min(spec.last.value_or(end), end)};
  }
  const Bytes suffix = std::min(spec.last.value_or(0), size);
  if (suffix == 0) return std::nullopt;
  return Range{size - suffix, end};
}

std::vector<Range> satisfied(std::span<const RangeSpec> specs, Bytes size) {
  std::vector<Range> ranges;
  for (const RangeSpec& spec : specs) {
    if (const auto range = satisfied(spec, size)) ranges.push_back(*range);
  }
  return ranges;
}

bool more_than_twice(const std::vector<Range>& ranges, Bytes size) {
  Bytes wholes = 0;
  Bytes rest = 0;  // always less than `size`: no sum of ours can overflow
  for (const Range& range : ranges) {
    const Bytes gap = size - rest;
    const bool full = length(range) >= gap;
    wholes += full ? 1 : 0;
    rest = full ? length(range) - gap : rest + length(range);
  }
  return wholes > 2 || (wholes == 2 && rest > 0);
}

struct Placed {
  Range range;
  std::size_t place;  // in the order asked for
};

std::vector<Range> coalesced(const std::vector<Range>& ranges) {
  std::vector<Placed> sorted;
  sorted.reserve(ranges.size());
  for (const Range& range : ranges) sorted.push_back({range, sorted.size()});
  std::ranges::sort(sorted, {}, [](const Placed& placed) { return placed.range.first; });
  std::vector<Placed> merged;
  for (const Placed& next : sorted) {
    // Compared by subtraction: `last` may be the largest number there is.
    const bool apart = merged.empty() || (next.range.first > merged.back().range.last &&
                                          next.range.first - merged.back().range.last > 1);
    if (apart) {
      merged.push_back(next);
      continue;
    }
    Placed& before = merged.back();
    before.range.last = std::max(before.range.last, next.range.last);
    before.place = std::min(before.place, next.place);
  }
  std::ranges::sort(merged, {}, &Placed::place);
  std::vector<Range> result;
  result.reserve(merged.size());
  for (const Placed& placed : merged) result.push_back(placed.range);
  return result;
}

/// "SIZE" or "*", and whether it is either.
bool parse_total(std::string_view text, std::optional<Bytes>& size) {
  if (text == "*") return true;
  size = parse_number<Bytes>(text);
  return size.has_value();
}

}  // namespace

std::optional<std::vector<RangeSpec>> parse_ranges(std::string_view value) {
  const std::size_t equals = value.find('=');
  if (equals == std::string_view::npos || !same_token(value.substr(0, equals), unit)) {
    return std::nullopt;
  }
  std::vector<RangeSpec> specs;
  for (std::size_t start = equals + 1; start <= value.size();) {
    const std::size_t comma = std::min(value.find(',', start), value.size());
    const std::string_view element = trimmed(value.substr(start, comma - start));
    start = comma + 1;
    if (element.empty()) continue;  // RFC 9110 5.6.1.2
    const auto spec = parse_spec(element);
    if (!spec) return std::nullopt;
    specs.push_back(*spec);
  }
  if (specs.empty()) return std::nullopt;
  return specs;
}

Selection select_ranges(std::span<const RangeSpec> specs, Bytes size, const RangeLimits& limits) {
  if (size == 0 || specs.empty() || specs.size() > limits.most_specs) return {};
  const std::vector<Range> asked = satisfied(specs, size);
  if (asked.empty()) return {.kind = Selection::Kind::unsatisfiable, .ranges = {}};
  if (more_than_twice(asked, size)) return {};
  std::vector<Range> ranges = coalesced(asked);
  if (ranges.size() > limits.most_ranges) return {};
  return {.kind = Selection::Kind::ranges, .ranges = std::move(ranges)};
}

std::string content_range(const Range& range, Bytes size) {
  return "bytes " + std::to_string(range.first) + "-" + std::to_string(range.last) + "/" +
         std::to_string(size);
}

std::string content_range_unsatisfied(Bytes size) { return "bytes */" + std::to_string(size); }

std::optional<ContentRange> parse_content_range(std::string_view value) {
  const std::size_t space = value.find(' ');
  const std::size_t slash = value.find('/');
  if (space == std::string_view::npos || slash == std::string_view::npos || slash < space ||
      !same_token(value.substr(0, space), unit)) {
    return std::nullopt;
  }
  ContentRange parsed;
  if (!parse_total(value.substr(slash + 1), parsed.size)) return std::nullopt;
  const std::string_view range = value.substr(space + 1, slash - space - 1);
  if (range == "*") return parsed.size ? std::optional(parsed) : std::nullopt;
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = parse_number<Bytes>(range.substr(0, dash));
  const auto last = parse_number<Bytes>(range.substr(dash + 1));
  if (!first || !last || *last < *first || (parsed.size && *last >= *parsed.size)) {
    return std::nullopt;
  }
  parsed.range = Range{*first, *last};
  return parsed;
}

}  // namespace headrace::http
