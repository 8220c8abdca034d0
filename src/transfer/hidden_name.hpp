#pragma once

#include <string>

#include "headrace/descriptor.hpp"

namespace headrace {

/// A name nobody uses yet, with luck: `.NAME.headrace-XXXXXX`, where X is random.
///
/// `name` is shortened, between characters of UTF-8, so that the whole fits into `longest` bytes.
Result<std::string> hidden_name(const std::string& name, std::size_t longest);

/// The names tried before random ones: a run that was killed left one of them, so that the next run
/// finds it without reading the whole directory. `number` is below `first_names`.
inline constexpr int first_names = 4;
std::string first_name(const std::string& name, std::size_t longest, int number);

/// The longest name the directory's file system takes, in bytes.
std::size_t longest_name(DescriptorRef directory);

}  // namespace headrace
