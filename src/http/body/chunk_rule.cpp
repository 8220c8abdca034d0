#include "http/body/chunk_rule.hpp"

#include "methods/support/rules.hpp"

namespace headrace::http {

std::optional<Reason> refuse_chunks(const Facts& source, const Facts& destination, const Wishes&) {
  return refuse_directories(source, destination);
}

// It stands alone: there is no other way to frame chunks.
int rank_chunks(const Facts&, const Facts&) { return 0; }

}  // namespace headrace::http
