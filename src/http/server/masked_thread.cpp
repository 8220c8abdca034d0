#include "http/server/masked_thread.hpp"

#include <csignal>
#include <initializer_list>
#include <system_error>
#include <utility>

namespace headrace::http::server {
namespace {

/// What a thread started meanwhile inherits: so there is no moment in which it is not masked.
class Masked {
 public:
  Masked() {
    sigset_t set;
    sigfillset(&set);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) {
      sigdelset(&set, fault);
    }
    ::pthread_sigmask(SIG_SETMASK, &set, &before_);
  }
  Masked(const Masked&) = delete;
  Masked& operator=(const Masked&) = delete;
  ~Masked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

Result<std::jthread> start_masked(std::move_only_function<void()> work) {
  const Masked mask;
  try {
    return std::jthread(std::move(work));
  } catch (const std::system_error& error) {
    return std::unexpected(Error{error.code(), "pthread_create"});
  }
}

}  // namespace headrace::http::server
