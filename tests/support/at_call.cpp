#include "support/at_call.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

#include "support/must.hpp"

namespace headrace::testing {
namespace {

constexpr unsigned limit = 20;              // seconds until the child is killed by SIGALRM
constexpr int after_ours = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD: a stop at a call, no signal

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) must(-1, "waitpid");
  }
  return status;
}

[[noreturn]] void run_traced(const std::function<int()>& child) {
  must(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr), "ptrace");
  ::alarm(limit);
  must(::raise(SIGSTOP), "raise");
  ::_exit(child());
}

bool is_at(const Moment& moment, pid_t process) {
  __ptrace_syscall_info info{};
  must(::ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof info, &info), "ptrace");
  return info.op == PTRACE_SYSCALL_INFO_ENTRY &&
         info.entry.nr == static_cast<std::uint64_t>(moment.call) &&
         static_cast<int>(info.entry.args[0]) == moment.descriptor.number();
}

}  // namespace

int run_until(const Moment& moment, const std::function<void()>& meanwhile,
              const std::function<int()>& child) {
  const pid_t process = must(::fork(), "fork");
  if (process == 0) run_traced(child);
  int status = wait_for(process);
  must(::ptrace(PTRACE_SETOPTIONS, process, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL),
       "ptrace");
  bool met = false;
  for (int signal = 0; WIFSTOPPED(status); status = wait_for(process)) {
    const bool at_call = WSTOPSIG(status) == after_ours;
    signal = at_call || WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status);
    if (!met && at_call && is_at(moment, process)) {
      met = true;
      meanwhile();
    }
    must(::ptrace(met ? PTRACE_CONT : PTRACE_SYSCALL, process, 0, signal), "ptrace");
  }
  if (!met) give_up("the call", "was never made");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace headrace::testing
