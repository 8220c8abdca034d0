#include <algorithm>
#include <vector>

#include "http/message/range.hpp"
#include "support.hpp"

namespace headrace::fuzz {
namespace {

bool asks_for(const http::RangeSpec& spec, Bytes offset, Bytes size) {
  if (!spec.first) return offset + spec.last.value_or(0) >= size || spec.last.value_or(0) >= size;
  return offset >= *spec.first && (!spec.last || offset <= *spec.last);
}

/// Byte by byte: what is selected is what was asked for.
void look_at_bytes(const std::vector<http::RangeSpec>& specs,
                   const std::vector<http::Range>& ranges, Bytes size) {
  for (Bytes offset = 0; offset < size; ++offset) {
    const bool asked = std::ranges::any_of(
        specs, [&](const http::RangeSpec& spec) { return asks_for(spec, offset, size); });
    const auto times = std::ranges::count_if(ranges, [&](const http::Range& range) {
      return range.first <= offset && offset <= range.last;
    });
    require(times == (asked ? 1 : 0), "each byte that was asked for is sent once, no other is");
  }
}

void look_at_ranges(std::vector<http::Range> ranges, Bytes size) {
  for (const http::Range& range : ranges) {
    require(range.first <= range.last && range.last < size, "a range is inside the whole");
    const auto printed = http::parse_content_range(http::content_range(range, size));
    require(printed && printed->range == range && printed->size == size,
            "a Content-Range that is printed is parsed as the same");
  }
  std::ranges::sort(ranges, {}, &http::Range::first);
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    require(ranges[i - 1].last + 1 < ranges[i].first, "ranges neither overlap nor touch");
  }
}

void look_at_selection(const std::vector<http::RangeSpec>& specs, Bytes size) {
  using Kind = http::Selection::Kind;
  const auto selection = http::select_ranges(specs, size);
  require(selection.ranges.empty() == (selection.kind != Kind::ranges), "ranges are of their kind");
  require(selection.ranges.size() <= http::RangeLimits{}.most_ranges, "ranges are bounded");
  look_at_ranges(selection.ranges, size);
  constexpr Bytes few = 300;
  if (size <= few && selection.kind != Kind::whole) look_at_bytes(specs, selection.ranges, size);
}

void look_at_content_range(std::string_view text) {
  const auto parsed = http::parse_content_range(text);
  if (!parsed) return;
  if (parsed->range) require(parsed->range->first <= parsed->range->last, "a range is not empty");
  if (parsed->range && parsed->size) {
    require(parsed->range->last < *parsed->size, "a range is inside its whole");
    const auto again =
        http::parse_content_range(http::content_range(*parsed->range, *parsed->size));
    require(again == parsed, "a Content-Range that is parsed is printed as the same");
  }
}

}  // namespace
}  // namespace headrace::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headrace;
  fuzz::Input input(data, size);
  const Bytes small = input.byte();
  const std::string_view text = input.text();
  fuzz::look_at_content_range(text);
  const auto specs = http::parse_ranges(text);
  if (!specs) return 0;
  fuzz::require(!specs->empty(), "a Range that is heeded is not empty");
  for (const Bytes whole : {small, small << 24U, everything >> 1U}) {
    fuzz::look_at_selection(*specs, whole);
  }
  return 0;
}
