#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/bytes.hpp"

namespace headrace::http {

/// One range as asked for (RFC 9110 14.1.2). Numbers beyond 64 bits are the largest there is.
struct RangeSpec {
  std::optional<Bytes> first;  ///< absent: the last `last` bytes ("-5")
  std::optional<Bytes> last;   ///< inclusive; absent: to the end ("5-")
  friend bool operator==(const RangeSpec&, const RangeSpec&) = default;
};

/// Reads the value of a Range field. Absent: malformed, or of another unit than bytes, so the field
/// is to be ignored. What is returned is never empty.
std::optional<std::vector<RangeSpec>> parse_ranges(std::string_view value);

/// Bytes `first` to `last`, both of them included: never empty.
struct Range {
  Bytes first = 0;
  Bytes last = 0;
  friend bool operator==(const Range&, const Range&) = default;
};
constexpr Bytes length(const Range& range) { return range.last - range.first + 1; }
static_assert(length({0, 0}) == 1);

/// RFC 9110 17.15: what a client may make us do is ours to bound.
struct RangeLimits {
  std::size_t most_specs = 1000;  ///< more are ignored together: the whole is sent
  std::size_t most_ranges = 32;   ///< likewise, counted after coalescing
};

struct Selection {
  enum class Kind {
    whole,          ///< 200: the field is ignored
    ranges,         ///< 206: one range alone, or several as multipart
    unsatisfiable,  ///< 416
  };
  Kind kind = Kind::whole;
  std::vector<Range>
      ranges;  ///< disjoint, never adjacent, in the order asked for; only of `ranges`
  friend bool operator==(const Selection&, const Selection&) = default;
};

/// What of `size` bytes is to be sent.
///
/// Overlapping and adjacent ranges become one, at the place of the first of them. The whole is sent
/// beyond the limits, where more than twice the whole is asked for, and of an empty file: some
/// clients ask for a range of everything, and nothing of nothing is no fault.
Selection select_ranges(std::span<const RangeSpec> specs, Bytes size,
                        const RangeLimits& limits = {});

/// "bytes 0-9/100": the value of a Content-Range field.
std::string content_range(const Range& range, Bytes size);
/// "bytes */100": that of a 416.
std::string content_range_unsatisfied(Bytes size);

/// A Content-Range field as received.
struct ContentRange {
  std::optional<Range> range;  ///< absent in that of a 416
  std::optional<Bytes> size;   ///< of the whole; absent where the server does not know
  friend bool operator==(const ContentRange&, const ContentRange&) = default;
};
/// Absent for everything that RFC 9110 14.4 does not allow, another unit, or numbers beyond 64
/// bits.
std::optional<ContentRange> parse_content_range(std::string_view value);

}  // namespace headrace::http
