#pragma once

#include <span>
#include <string>

#include "headrace/method.hpp"
#include "support/temporary.hpp"

namespace headrace::testing {

inline constexpr Bytes content_size = 60'000;  // fits into every pipe and socket below unread

/// Two fresh ends with `content` ready to be taken. Nobody reads or writes at the other side
/// meanwhile: what was taken and what has arrived is looked at afterwards.
struct Ends {
  Descriptor source;
  Descriptor destination;
  Descriptor reader;    ///< the far side of a destination that is no file
  bool stream = false;  ///< what is taken from the source is gone
  std::string content;

  /// All that has arrived. Closes the destination.
  std::string arrived();
  /// How many bytes the source has lost: its position, or what a stream no longer holds.
  Bytes taken();
};

struct PairKind {
  std::string_view name;
  Ends (*make)(const std::filesystem::path& folder);
  bool cloning = false;  ///< wants a folder on a file system with shared extents
};

std::span<const PairKind> pair_kinds();

/// Whether `method` serves the pair when it is named.
bool serves(const Method& method, const Ends& ends);
/// Whether `method` is the first that `auto` takes for the pair.
bool leads(const Method& method, const Ends& ends);

}  // namespace headrace::testing
