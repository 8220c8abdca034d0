#include "explain/sizes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "headrace/explain.hpp"

namespace headrace {
namespace {

constexpr std::string_view prefixes = "KMGTPE";

// Ten times the size in this unit, rounded to the nearest.
constexpr Bytes tenths_of(Bytes bytes, Bytes unit) {
  return bytes / unit * 10 + (bytes % unit * 10 + unit / 2) / unit;
}
static_assert(tenths_of(1536, kibibyte) == 15);
static_assert(tenths_of(everything, Bytes{1} << 60) == 160);

constexpr char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same_word(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right,
                            [](char one, char other) { return lower(one) == lower(other); });
}

std::optional<Bytes> unit_named(std::string_view name) {
  if (name.empty() || same_word(name, "B")) return 1;
  Bytes binary = 1;
  Bytes decimal = 1;
  for (const char prefix : prefixes) {
    binary *= 1024;
    decimal *= 1000;
    if (lower(name.front()) != lower(prefix)) continue;
    const std::string_view rest = name.substr(1);
    if (rest.empty() || same_word(rest, "iB")) return binary;
    return same_word(rest, "B") ? std::optional{decimal} : std::nullopt;
  }
  return std::nullopt;
}

// Takes the digits at the front of `text`; absent where there are none or too many.
std::optional<Bytes> take_number(std::string_view& text) {
  Bytes value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

struct Fraction {
  Bytes numerator = 0;
  Bytes denominator = 1;
};

// ".25" is 25/100. Nine digits keep every product below 64 bits.
std::optional<Fraction> take_fraction(std::string_view& text) {
  if (!text.starts_with('.')) return Fraction{};
  text.remove_prefix(1);
  const std::size_t before = text.size();
  const auto numerator = take_number(text);
  const std::size_t digits = before - text.size();
  if (!numerator || digits > 9) return std::nullopt;
  Fraction fraction{*numerator, 1};
  for (std::size_t i = 0; i < digits; ++i) fraction.denominator *= 10;
  return fraction;
}

// Whole bytes of `fraction` times `unit`, without a product beyond 64 bits.
constexpr Bytes share_of(Bytes unit, Fraction fraction) {
  return fraction.numerator * (unit / fraction.denominator) +
         fraction.numerator * (unit % fraction.denominator) / fraction.denominator;
}
static_assert(share_of(gibibyte, {5, 10}) == gibibyte / 2);
static_assert(share_of(Bytes{1} << 60, {999'999'999, 1'000'000'000}) == 1'152'921'503'453'925'471);

}  // namespace

std::string format_size(Bytes bytes) {
  if (bytes < kibibyte) return std::to_string(bytes) + "B";
  std::size_t step = 0;
  Bytes unit = kibibyte;
  // 10240 tenths would print as "1024KiB", which is 1MiB.
  while (step + 1 < prefixes.size() && tenths_of(bytes, unit) >= 10 * kibibyte) {
    unit *= kibibyte;
    ++step;
  }
  const Bytes tenths = tenths_of(bytes, unit);
  std::string text = std::to_string(tenths / 10);
  if (tenths % 10 != 0) text += "." + std::to_string(tenths % 10);
  return text + prefixes[step] + "iB";
}

std::optional<Bytes> parse_size(std::string_view text) {
  const auto whole = take_number(text);
  if (!whole) return std::nullopt;
  const auto fraction = take_fraction(text);
  if (!fraction) return std::nullopt;
  if (text.size() > 1 && text.starts_with(' ')) text.remove_prefix(1);
  const auto unit = unit_named(text);
  if (!unit || (*unit == 1 && fraction->denominator != 1)) return std::nullopt;
  const Bytes part = share_of(*unit, *fraction);
  if (*whole > (everything - part) / *unit) return std::nullopt;
  return *whole * *unit + part;
}

}  // namespace headrace
