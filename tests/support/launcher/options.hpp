#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <vector>

#include "support/deny.hpp"

namespace headrace::testing {

struct Options {
  std::vector<Denial> denials;
  std::vector<std::string> names;  ///< of the calls, in the order of the denials
  std::vector<std::string> command;
  std::string told;  ///< a file for the counts; empty: none
  std::chrono::milliseconds limit = std::chrono::minutes(2);
};

/// What the arguments ask for, or what is wrong with them.
std::expected<Options, std::string> parse(const std::vector<std::string>& arguments);

}  // namespace headrace::testing
