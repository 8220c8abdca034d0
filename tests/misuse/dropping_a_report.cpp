// The answer of a transfer holds its failure, so it cannot be dropped either.
// expects: ignoring returned value
#include "headrace/transfer.hpp"

bool move_all(const headrace::Body& body, headrace::Plain destination) {
#ifdef MISUSE
  headrace::transfer(body, destination);
  return true;
#else
  return headrace::transfer(body, destination).has_value();
#endif
}
