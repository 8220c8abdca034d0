#include "headrace/method.hpp"

namespace headrace {

std::string_view name_of(PathClass path_class) {
  switch (path_class) {
    case PathClass::user:
      return "user";
    case PathClass::kernel:
      return "kernel";
    case PathClass::shared:
      return "shared";
  }
  return "unknown";
}

std::string_view name_of(Contract contract) {
  switch (contract) {
    case Contract::live:
      return "live";
    case Contract::guarded:
      return "guarded";
    case Contract::stable:
      return "stable";
  }
  return "unknown";
}

std::string_view name_of(Ending ending) {
  switch (ending) {
    case Ending::finished:
      return "finished";
    case Ending::paused:
      return "paused";
    case Ending::refused:
      return "refused";
    case Ending::failed:
      return "failed";
  }
  return "unknown";
}

}  // namespace headrace
