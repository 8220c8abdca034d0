#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "headrace/facts.hpp"
#include "headrace/transfer.hpp"

namespace headrace::cli {

// What the options of `copy` mean together. Pure; what is wrong is told in a sentence for the user.

/// Two options that ask for opposite things.
std::optional<std::string> contradiction(const CopyArguments& arguments);

/// The other end of a copy, before it is opened.
struct CopyEnd {
  std::string name;
  mode_t type = 0;       ///< S_IFMT bits; 0: a file that is not there yet
  bool is_ours = false;  ///< opened by name and written from its start: replaced or in place
};

/// An option that needs a file where `source` or `destination` is none.
std::optional<std::string> needs_another_end(const CopyArguments& arguments, const Facts& source,
                                             const CopyEnd& destination);

/// The common wishes, and what --reflink adds.
Wishes wishes_of(const CopyArguments& arguments, const Facts& source);
Preserve preserve_of(const CopyArguments& arguments);
Sparse sparse_of(const CopyArguments& arguments);
Reserve reserve_of(const CopyArguments& arguments, const Facts& source, const Facts& destination);
/// What holds where no contract is asked for.
Contract fallback_contract(const Facts& destination);

}  // namespace headrace::cli
