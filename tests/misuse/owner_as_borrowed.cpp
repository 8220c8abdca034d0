// Lending is visible: an owner does not turn into a reference by itself.
// expects: could not convert .*Descriptor.* to .*DescriptorRef
#include "headrace/body.hpp"

headrace::Body body_of_owned(const headrace::Descriptor& descriptor) {
#ifdef MISUSE
  return headrace::body_of(descriptor);
#else
  return headrace::body_of(descriptor.ref());
#endif
}
