#include "cli/copy_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headrace::cli {
namespace {

bool anything_required(const Preserve& preserve) {
  const std::array kept{preserve.mode, preserve.times, preserve.owner, preserve.attributes,
                        preserve.access_list};
  return std::ranges::find(kept, Keep::required) != kept.end();
}

std::optional<std::string> no_content_to_compare(const Facts& source, const CopyEnd& destination) {
  if (source.kind != Kind::regular || source.pseudo) {
    return fmt::format(
        "--verify reads both ends again, and '{}' is no file with bytes of its own: "
        "copy it to a file first, then verify a copy of that",
        source.name);
  }
  if (!destination.is_ours) {
    return fmt::format("--verify reads both ends again, and '{}' cannot be: name a file",
                       destination.name);
  }
  return std::nullopt;
}

std::optional<std::string> nothing_to_preserve(const Facts& source, const CopyEnd& destination) {
  if (source.kind != Kind::regular) {
    return fmt::format("--preserve: '{}' is no file, so it has nothing to keep", source.name);
  }
  if (!destination.is_ours) {
    return fmt::format("--preserve: '{}' is written as it stands, and keeps what it has",
                       destination.name);
  }
  return std::nullopt;
}

std::optional<std::string> nothing_to_reserve(const CopyArguments& arguments, const Facts& source,
                                              const CopyEnd& destination) {
  if (!destination.is_ours) {
    return fmt::format("--preallocate needs a file to write, and '{}' is none", destination.name);
  }
  const bool known = size_is_known(source) || (source.kind == Kind::regular && !source.pseudo);
  const bool said = arguments.common.range && arguments.common.range->length;
  if (known || said) return std::nullopt;
  return fmt::format(
      "--preallocate needs a length, and that of '{}' is not known: say it by "
      "--range 0:LENGTH",
      source.name);
}

}  // namespace

std::optional<std::string> contradiction(const CopyArguments& arguments) {
  const auto& require = arguments.common.wishes.require;
  const bool holes_said = arguments.sparse && *arguments.sparse != Sparse::never;
  if (arguments.reflink == Reflink::always) {
    if (require == PathClass::kernel) {
      return "--reflink always demands a shared path, --require kernel is content with less";
    }
    if (arguments.sparse && *arguments.sparse != Sparse::automatic) {
      return "--reflink always keeps the holes as they are, so it takes only --sparse auto";
    }
    if (arguments.preallocate) {
      return "--reflink always shares blocks, --preallocate reserves its own";
    }
  }
  if (arguments.reflink == Reflink::never && require) {
    return "--reflink never reads and writes, which is below any --require";
  }
  if (arguments.preallocate && holes_said) {
    return "--preallocate reserves every block, so it takes only --sparse never";
  }
  return std::nullopt;
}

std::optional<std::string> needs_another_end(const CopyArguments& arguments, const Facts& source,
                                             const CopyEnd& destination) {
  const bool on_a_disk =
      destination.is_ours || S_ISREG(destination.type) || S_ISBLK(destination.type);
  if (arguments.durable && !on_a_disk) {
    return fmt::format("--fsync needs a file or a block device, and '{}' is none",
                       destination.name);
  }
  std::optional<std::string> wrong;
  if (arguments.verify) wrong = no_content_to_compare(source, destination);
  if (!wrong && arguments.preserve && anything_required(*arguments.preserve)) {
    wrong = nothing_to_preserve(source, destination);
  }
  if (!wrong && arguments.preallocate) wrong = nothing_to_reserve(arguments, source, destination);
  return wrong;
}

Wishes wishes_of(const CopyArguments& arguments, const Facts& source) {
  Wishes wishes = arguments.common.wishes;
  // An empty file has nothing to share, and is never told from one whose size says nothing.
  const bool nothing =
      source.kind == Kind::regular && !source.pseudo && source.may_clone && source.size == 0;
  if (arguments.reflink == Reflink::always && !nothing) wishes.require = PathClass::shared;
  wishes.own_blocks = arguments.reflink == Reflink::never;
  return wishes;
}

Preserve preserve_of(const CopyArguments& arguments) {
  return arguments.preserve.value_or(Preserve{});
}

Sparse sparse_of(const CopyArguments& arguments) {
  const Sparse unsaid = arguments.preallocate ? Sparse::never : Sparse::automatic;
  return arguments.sparse.value_or(unsaid);
}

Reserve reserve_of(const CopyArguments& arguments, const Facts& source, const Facts& destination) {
  if (arguments.preallocate) return Reserve::required;
  // Zeros become holes: blocks reserved for them would be none.
  if (sparse_of(arguments) == Sparse::always) return Reserve::nothing;
  return best_reserve(destination, size_is_known(source));
}

Contract fallback_contract(const Facts& destination) {
  if (destination.kind == Kind::regular) return Contract::guarded;
  return destination.kind == Kind::pipe ? Contract::stable : Contract::live;
}

}  // namespace headrace::cli
