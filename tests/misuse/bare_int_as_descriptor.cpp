// A bare number does not become a borrowed descriptor unsaid.
// expects: could not convert .*int.* to .*DescriptorRef
#include "headrace/body.hpp"

headrace::Body body_of_number(int number) {
#ifdef MISUSE
  return headrace::body_of(number);
#else
  return headrace::body_of(headrace::DescriptorRef{number});
#endif
}
