#include "methods/read_write/rule.hpp"

#include "methods/support/rules.hpp"

namespace headrace {

std::optional<Reason> refuse_read_write(const Facts& source, const Facts& destination,
                                        const Wishes&) {
  return refuse_directories(source, destination);
}

// Behind every kernel path, except where the source's size says nothing: then only a read tells
// what there is, and files of /proc are a few pages.
int rank_read_write(const Facts& source, const Facts&) {
  return source.kind == Kind::regular && !size_is_known(source) ? 0 : 90;
}

}  // namespace headrace
