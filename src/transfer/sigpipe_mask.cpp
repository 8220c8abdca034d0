#include "transfer/sigpipe_mask.hpp"

#include <ctime>

namespace headrace {
namespace {

sigset_t only_sigpipe() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

bool ignored() {
  struct sigaction now{};
  return ::sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

bool pending() {
  sigset_t set;
  return ::sigpending(&set) == 0 && sigismember(&set, SIGPIPE) == 1;
}

}  // namespace

SigpipeMask::SigpipeMask() {
  if (ignored() || pending()) return;  // a pending one is blocked already, and not ours to take
  const sigset_t set = only_sigpipe();
  active_ = ::pthread_sigmask(SIG_BLOCK, &set, &before_) == 0;
}

SigpipeMask::~SigpipeMask() {
  if (!active_) return;
  const sigset_t set = only_sigpipe();
  constexpr timespec at_once{};
  if (pending()) ::sigtimedwait(&set, nullptr, &at_once);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace headrace
