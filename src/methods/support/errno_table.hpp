#pragma once

#include <span>
#include <string_view>

#include "headrace/method.hpp"

namespace headrace {

/// What an errno of a moving call means, for every method alike.
enum class Meaning {
  not_offered,  ///< this call does not serve these ends: another method may
  try_again,    ///< nothing is wrong: wait, or a signal came
  final,        ///< no method would do better
};

struct ErrnoRow {
  int number;
  std::string_view name;
  Meaning meaning;
  std::string_view because;
};

/// The whole table, for docs/reasons.md and its test. Numbers not listed are `final`.
std::span<const ErrnoRow> errno_table();

/// EBADF means "not offered" only where the destination appends (copy_file_range(2) answers so).
Meaning meaning_of(const Error& error, bool destination_appends);

/// The ending that follows: not offered is `refused` only while nothing is stranded.
Ending classify(const Error& error, Bytes stranded, bool destination_appends);

}  // namespace headrace
