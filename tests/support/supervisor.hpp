#pragma once

#include <linux/seccomp.h>
#include <sys/types.h>

#include <vector>

#include "headrace/descriptor.hpp"
#include "support/deny.hpp"
#include "support/short_call.hpp"

namespace headrace::testing {

/// Puts the calling process under notification for the calls of `denials`. Returns the listener,
/// which the supervisor must take over by pidfd_getfd, or -errno.
int install_notification(const std::vector<Denial>& denials);

/// Answers the notified calls of a process until it is gone.
class Supervisor {
 public:
  Supervisor(Descriptor listener, pid_t supervised, const std::vector<Denial>& denials);
  void run();
  /// Of each denial, in their order.
  [[nodiscard]] std::vector<Count> counts() const;

 private:
  struct Counted {
    Denial denial;
    Count count = {};
  };

  void answer_one();
  [[nodiscard]] bool looks_at(const Denial& denial, int call, const Arguments& arguments) const;
  seccomp_notif_resp response_to(const seccomp_data& call);
  Answer answer_to(int call, const Arguments& arguments);

  Descriptor listener_;
  pid_t supervised_;
  Descriptor process_;
  std::vector<Counted> denials_;
};

}  // namespace headrace::testing
