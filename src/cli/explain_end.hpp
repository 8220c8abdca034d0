#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headrace/facts.hpp"
#include "headrace/transfer.hpp"

namespace headrace::cli {

enum class End { source, destination };

/// The facts of one end as `explain` is given it: a path, `-`, HOST:PORT, unix:PATH or a URL. Opens
/// nothing for writing, no FIFO and no device that could notice, connects to nothing and creates
/// nothing: a file that would be created has the facts of its directory's file system, a socket
/// those it would have once connected.
/// Complains and gives nothing where the end cannot be.
std::optional<Facts> facts_of_end(std::string_view command, const std::string& text, End end,
                                  const Stop& stop);

}  // namespace headrace::cli
