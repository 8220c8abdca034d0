// Nor is one overwritten by a copy: both would close the same number.
// expects: use of deleted function .*operator=\(const .*Descriptor&\)
#include "headrace/descriptor.hpp"

void replace(headrace::Descriptor& kept, headrace::Descriptor& other) {
#ifdef MISUSE
  kept = other;
#else
  kept = std::move(other);
#endif
}
