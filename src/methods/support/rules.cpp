#include "methods/support/rules.hpp"

#include "methods/support/reasons.hpp"

namespace headrace {

std::optional<Reason> refuse_directories(const Facts& source, const Facts& destination) {
  if (source.kind == Kind::directory || destination.kind == Kind::directory) {
    return end_is_a_directory;
  }
  return std::nullopt;
}

bool would_block(const Facts& destination) {
  const bool waits_for_reader = destination.kind == Kind::pipe || is_socket(destination.kind) ||
                                destination.kind == Kind::character_device;
  return waits_for_reader && !destination.nonblocking;
}

bool gives_pages_away(const Facts& source, const Facts& destination, const Wishes& wishes) {
  const bool held_by_reader = destination.kind == Kind::pipe || is_socket(destination.kind);
  const bool may_change = is_file(source.kind) && !source.sealed;
  return wishes.contract == Contract::stable && may_change && held_by_reader;
}

}  // namespace headrace
