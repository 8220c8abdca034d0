#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "headrace/facts.hpp"
#include "headrace/transfer.hpp"

namespace headrace::cli {

/// The source of a command, opened or lent. `owned` is empty for standard input.
struct Source {
  Descriptor owned;
  DescriptorRef descriptor;
  std::string name;  ///< for messages
  Facts facts;
  struct stat status{};
};

/// Opens `path` for reading, `-` being standard input; a FIFO is waited for until it has a writer
/// `stop` is requested or `patience` has run out. Complains and gives nothing where that fails; an
/// interrupted wait is silent.
std::optional<Source> open_source(std::string_view command, const std::string& path,
                                  const Stop& stop, Patience patience);

}  // namespace headrace::cli
