// A descriptor has one owner: it is moved, never copied.
// expects: use of deleted function .*Descriptor\(const .*Descriptor&\)
#include "headrace/descriptor.hpp"

headrace::Descriptor take(headrace::Descriptor& descriptor) {
#ifdef MISUSE
  headrace::Descriptor other = descriptor;
#else
  headrace::Descriptor other = std::move(descriptor);
#endif
  return other;
}
