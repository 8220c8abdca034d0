// A failure cannot be dropped by accident: `Result` is nodiscard.
// expects: ignoring returned value
#include "headrace/descriptor.hpp"

void finish(headrace::Descriptor& descriptor) {
#ifdef MISUSE
  descriptor.close();
#else
  if (!descriptor.close()) return;
#endif
}
