// Engines take `Plain` descriptors only: an endpoint, which may be an encrypted session, must be
// opened first, so plain bytes cannot be written to a descriptor that carries encrypted ones.
// expects: no match for .operator=. .*Plain.*Endpoint
#include "headrace/method.hpp"

void aim(headrace::Job& job, const headrace::Endpoint& endpoint) {
#ifdef MISUSE
  job.destination = endpoint;
#else
  job.destination = std::get<headrace::Plain>(endpoint);
#endif
}
