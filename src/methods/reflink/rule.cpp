#include "methods/reflink/rule.hpp"

#include "methods/support/reasons.hpp"
#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_reflink(const Facts& source, const Facts& destination, const Wishes&) {
  if (const auto reason = refuse_directories(source, destination)) return reason;
  if (source.kind != Kind::regular) return source_not_a_file;
  if (destination.kind != Kind::regular) return destination_not_a_file;
  if (destination.appends) return destination_appends;
  if (!size_is_known(source)) return size_unknown;
  if (source.file_system != destination.file_system) return different_file_systems;
  if (!source.may_clone) return file_system_cannot_clone;
  return std::nullopt;
}

int rank_reflink(const Facts&, const Facts&) { return 0; }

}  // namespace headrace
