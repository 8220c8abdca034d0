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
    case Outcome::mismatched:
      return "mismatched";
    case Outcome::answered_early:
      return "answered-early";
  }
  return "unknown";
}

std::string_view name_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::times:
      return "times";
    case Evidence::lease:
      return "lease";
    case Evidence::read:
      return "read";
    case Evidence::clone:
      return "clone";
    case Evidence::sealed:
      return "sealed";
  }
  return "unknown";
}

std::string_view name_of(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::grew:
      return "grew";
    case Change::Kind::shrank:
      return "shrank";
    case Change::Kind::overwritten:
      return "overwritten";
    case Change::Kind::replaced:
      return "replaced";
    case Change::Kind::touched:
      return "touched";
  }
  return "unknown";
}

std::string describe(const Change& change) {
  const std::string bytes = std::to_string(change.bytes) + (change.bytes == 1 ? " byte" : " bytes");
  switch (change.kind) {
    case Change::Kind::grew:
      return "grew by " + bytes;
    case Change::Kind::shrank:
      return "shrank to " + bytes;
    case Change::Kind::overwritten:
      return "was overwritten";
    case Change::Kind::replaced:
      return "was replaced: its path leads elsewhere now";
    case Change::Kind::touched:
      return "was touched: its mode, owner, links or times were set";
  }
  return "changed";
}

std::optional<PathClass> class_of(const Report& report) {
  std::optional<PathClass> lowest;
  for (const Leg& leg : report.legs) {
    if (leg.bytes == 0 || leg.excepted) continue;
    lowest = std::min(lowest.value_or(leg.method->path_class), leg.method->path_class);
  }
  return lowest;
}

}  // namespace headrace
