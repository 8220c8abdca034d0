// A reason is a code and a text; a loose string is not a reason that scripts can match.
// expects: no match for .operator=. .*Reason
#include "headrace/plan.hpp"

void refuse(headrace::Refusal& refusal) {
#ifdef MISUSE
  refusal.reason = "not-named";
#else
  refusal.reason = headrace::not_named;
#endif
}
