#pragma once

#include <string_view>

namespace headrace {

/// Why a path was not taken.
///
/// `code` is an interface: stable, matched by scripts and tests. `text` is for people and may
/// improve. Two reasons are equal when their codes are. Both are literals.
struct Reason {
  std::string_view code;
  std::string_view text;
  friend constexpr bool operator==(Reason a, Reason b) { return a.code == b.code; }
};

}  // namespace headrace
