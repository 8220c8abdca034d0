#pragma once

#include <optional>

#include "transfer/destination.hpp"

namespace headrace {

/// Why the regular file of `destination`, as it is in `status`, cannot give up its place to another
/// one; nothing where it can. Where writing into the file itself would do, the detail says so.
std::optional<Obstacle> refuse_replacing(const Destination& destination, const struct stat& status);

/// What it means that `error` came from making, linking or renaming a file in the directory.
Obstacle obstacle_in_directory(const Destination& destination, const Error& error);

}  // namespace headrace
