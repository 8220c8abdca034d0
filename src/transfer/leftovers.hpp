#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "transfer/destination.hpp"

namespace headrace {

/// A hidden file for the same destination, which nobody seemed to hold when it was seen.
struct Leftover {
  std::string name;
  dev_t device = 0;
  ino_t inode = 0;
};

/// Looks for what runs that were killed left beside `destination`, under the first names (see
/// hidden_name.hpp). A process that has just made its file and not locked it yet looks like a dead
/// one: `still_left_behind`, called when some time has passed, tells them apart.
std::vector<Leftover> find_leftovers(const Destination& destination);

/// Those of `found` that are there still, and still held by nobody: their paths.
std::vector<std::string> still_left_behind(const Destination& destination,
                                           const std::vector<Leftover>& found);

}  // namespace headrace
