#include "headrace/report.hpp"

#include <algorithm>

namespace headrace {

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::complete:
      return "complete";
    case Outcome::failed:
      return "failed";
    case Outcome::refused:
      return "refused";
    case Outcome::source_changed:
      return "source-changed";
    case Outcome::interrupted:
      return "interrupted";
  }
  return "unknown";
}

std::optional<PathClass> class_of(const Report& report) {
  std::optional<PathClass> lowest;
  for (const Leg& leg : report.legs) {
    if (leg.bytes == 0) continue;
    lowest = std::min(lowest.value_or(leg.method->path_class), leg.method->path_class);
  }
  return lowest;
}

}  // namespace headrace
