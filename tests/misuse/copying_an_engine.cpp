// An engine owns what is in flight, so there is one of it.
// expects: use of deleted function .*Engine
#include "headrace/method.hpp"

struct Still : headrace::Engine {
  headrace::Progress advance(headrace::Bytes) override { return {}; }
};

headrace::Progress turn(Still& engine) {
#ifdef MISUSE
  Still other = engine;
#else
  Still& other = engine;
#endif
  return other.advance(headrace::everything);
}
