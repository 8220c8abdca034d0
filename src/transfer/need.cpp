#include "transfer/need.hpp"

#include <cerrno>

namespace headrace {

std::optional<Error> failure_of(Woken woken, const std::optional<Error>& trouble) {
  switch (woken) {
    case Woken::ready:
    case Woken::stopped:
    case Woken::answered:
      return std::nullopt;
    case Woken::silent:
      return fail("poll", ETIMEDOUT).error();
    case Woken::cannot_wait:
      return trouble ? trouble : fail("poll", EIO).error();
    case Woken::destination_gone:
      break;
  }
  return fail("poll", EPIPE).error();
}

}  // namespace headrace
