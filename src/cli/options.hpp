#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"

namespace headrace::cli {

// What the options of several commands are made of. All write into the arguments they are given,
// which must outlive the command.

// CLI11 turns a ValidationError into its own message and status; we map the status to 2.
template <class Value>
Value wanted(std::optional<Value> value, const std::string& option, const std::string& text,
             const std::string& form) {
  if (!value) throw CLI::ValidationError(option, "'" + text + "' is not " + form);
  return *std::move(value);
}

inline const std::string size_form = "a size above 0, such as 64KiB, 1MiB, 1.5GiB or 10MB";
inline const std::string seconds_form = "a number of seconds above 0 and at most 1000000000";

/// An option that takes one of a few words.
template <class T>
void choice(CLI::App& command, const std::string& name, const std::string& what,
            std::map<std::string, T> values, std::function<void(T)> take) {
  command.add_option_function<std::string>(
      name,
      [name, values = std::move(values), take = std::move(take)](const std::string& text) {
        const auto found = values.find(text);
        if (found == values.end()) {
          std::vector<std::string> names;
          for (const auto& entry : values) names.push_back(entry.first);
          throw CLI::ValidationError(
              name, fmt::format("'{}' is not one of: {}", text, fmt::join(names, ", ")));
        }
        take(found->second);
      },
      what);
}

void size_option(CLI::App& command, const std::string& name, const std::string& what,
                 std::optional<Bytes>& value);
void seconds_option(CLI::App& command, const std::string& name, const std::string& what,
                    Patience& value);

/// --range
void add_range(CLI::App& command, CommonArguments& common);

/// When each contract holds without being asked for; empty where never.
struct ContractDefaults {
  std::optional<std::string> guarded;  ///< absent: a source that is no file cannot be guarded
  std::string stable;
  std::string live;
};

/// --guarded, --stable, --live
void add_contract(CLI::App& command, CommonArguments& common, const ContractDefaults& defaults);
/// --method, --require, --buffer
void add_wishes(CLI::App& command, CommonArguments& common);
/// --window, --congestion
void add_socket(CLI::App& command, std::optional<Bytes>& window,
                std::optional<std::string>& congestion);
/// --limit-rate, --idle-timeout, --progress, --quiet, and those of add_report()
void add_common(CLI::App& command, CommonArguments& common);
/// --report, --report-file
void add_report(CLI::App& command, CommonArguments& common);

}  // namespace headrace::cli
