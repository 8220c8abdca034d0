#pragma once

#include <optional>
#include <string>

#include "cli/target.hpp"
#include "transfer/replacement.hpp"

namespace headrace::cli {

/// Where received bytes go: lent, found, or open already.
struct Place {
  std::optional<Destination> destination;  ///< absent: standard output, or `replacement` has it
  std::optional<Target> target;            ///< absent: opened when a peer has come
  std::optional<Replacement> replacement;  ///< the file appears when it is complete and right
};

}  // namespace headrace::cli
