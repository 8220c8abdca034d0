#pragma once

#include <csignal>

namespace headrace {

/// Keeps SIGPIPE from the process while the calling thread moves bytes: sendfile(2) and splice(2)
/// have no MSG_NOSIGNAL. Masks it for this thread only and takes the one that a call of ours
/// raised; one that was pending before stays. Does nothing where the process ignores it already.
class SigpipeMask {
 public:
  SigpipeMask();
  ~SigpipeMask();
  SigpipeMask(const SigpipeMask&) = delete;
  SigpipeMask& operator=(const SigpipeMask&) = delete;

 private:
  bool active_ = false;
  sigset_t before_{};
};

}  // namespace headrace
