#include "support/deny.hpp"

#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "headrace/descriptor.hpp"
#include "support/must.hpp"
#include "support/process_handle.hpp"
#include "support/supervisor.hpp"

namespace headrace::testing {
namespace {

constexpr int not_yet = -1000000;

// What the processes tell each other without any call that a test may want to deny.
struct Board {
  std::atomic<int> listener = not_yet;      // of the child; -errno when it could not be had
  std::atomic<int> taken = not_yet;         // the supervisor has the listener
  std::atomic<int> child = 0;               // its process, for the watchdog
  std::atomic<int> status = not_yet;        // how it ended
  std::array<Count, most_counts> counts{};  // written before `status`
};

class SharedBoard {
 public:
  SharedBoard()
      : memory_(::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)) {
    must(memory_ == MAP_FAILED ? -1 : 0, "mmap");
    new (memory_) Board;
  }
  SharedBoard(const SharedBoard&) = delete;
  SharedBoard& operator=(const SharedBoard&) = delete;
  ~SharedBoard() { ::munmap(memory_, sizeof(Board)); }
  Board& operator*() const { return *static_cast<Board*>(memory_); }
  Board* operator->() const { return static_cast<Board*>(memory_); }

 private:
  void* memory_;
};

// Not std::atomic::wait, whose futexes are private to one process.
void post(std::atomic<int>& word, int value) {
  word = value;
  ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}
int await(std::atomic<int>& word) {
  while (word == not_yet) ::syscall(SYS_futex, &word, FUTEX_WAIT, not_yet, nullptr, nullptr, 0);
  return word;
}

void flush() {
  std::cout.flush();
  must(-std::abs(std::fflush(nullptr)), "fflush");
}

// Unflushed text would otherwise be written by both processes.
pid_t fork_cleanly() {
  flush();
  return must(::fork(), "fork");
}

// _exit: no destructors of the parent's objects, no leak check that needs ptrace.
[[noreturn]] void run_and_exit(const std::function<int()>& child) {
  const int status = child();
  flush();
  ::_exit(status);
}

int status_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) must(-1, "waitpid");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool ends_in_time(pid_t process, std::chrono::milliseconds limit) {
  const Descriptor handle{must(pidfd_open(process), "pidfd_open")};
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd one{handle.ref().number(), POLLIN, 0};
    if (::poll(&one, 1, static_cast<int>(left.count())) > 0) return true;
  }
}

[[noreturn]] void be_supervised(Board& board, const std::vector<Denial>& denials,
                                const std::function<int()>& child) {
  must(::prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");  // a supervisor that dies takes us along
  const int listener = install_notification(denials);
  post(board.listener, listener);
  if (listener < 0) ::_exit(0);
  await(board.taken);
  run_and_exit(child);
}

// The supervisor is a process of its own: it may block in a call it makes for the child, and the
// watchdog must not.
[[noreturn]] void supervise(Board& board, const std::vector<Denial>& denials,
                            const std::function<int()>& child) {
  must(::prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
  const pid_t process = fork_cleanly();
  if (process == 0) be_supervised(board, denials, child);
  board.child = process;
  const int theirs = await(board.listener);
  if (theirs >= 0) {
    const Descriptor handle{must(pidfd_open(process), "pidfd_open")};
    Descriptor listener{must(pidfd_getfd(handle.ref().number(), theirs), "pidfd_getfd")};
    post(board.taken, 1);
    Supervisor supervisor(std::move(listener), process, denials);
    supervisor.run();
    std::ranges::copy(supervisor.counts(), board.counts.begin());
  }
  const int status = status_of(process);
  board.child = 0;
  board.status = theirs < 0 ? cannot_deny : status;
  ::_exit(0);
}

int kill_hung(pid_t process) {
  std::cerr << "test support: the child hangs; it is killed\n";
  must(::kill(process, SIGKILL), "kill");
  status_of(process);
  return hung;
}

}  // namespace

Denial denied(int call, int number) {
  return {.call = call, .answer = {Answer::Kind::error, number}, .match = {}};
}
Denial faked(int call, std::int64_t result) {
  return {.call = call, .answer = {Answer::Kind::result, result}, .match = {}};
}
Denial shortened(int call, std::size_t most) {
  return {
      .call = call, .answer = {Answer::Kind::most, static_cast<std::int64_t>(most)}, .match = {}};
}

int run_in_child(const std::function<int()>& child, std::chrono::milliseconds limit) {
  const pid_t process = fork_cleanly();
  if (process == 0) run_and_exit(child);
  return ends_in_time(process, limit) ? status_of(process) : kill_hung(process);
}

int run_denied(const std::vector<Denial>& denials, const std::function<int()>& child,
               std::chrono::milliseconds limit) {
  return run_denied_and_count(denials, child, limit).status;
}

DeniedRun run_denied_and_count(const std::vector<Denial>& denials,
                               const std::function<int()>& child, std::chrono::milliseconds limit) {
  must(denials.size() > most_counts ? -1 : 0, "too many denials");
  const SharedBoard board;
  const auto with_counts = [&](int status) {
    const auto* const first = board->counts.begin();
    return DeniedRun{status, {first, first + denials.size()}};
  };
  const pid_t supervisor = fork_cleanly();
  if (supervisor == 0) supervise(*board, denials, child);
  if (!ends_in_time(supervisor, limit)) {
    // The supervisor has not waited for it, so that its number still means the child.
    if (const int process = board->child; process > 0) ::kill(process, SIGKILL);
    return with_counts(kill_hung(supervisor));
  }
  const int end = status_of(supervisor);
  if (board->status != not_yet) return with_counts(board->status);
  std::cerr << "test support: the supervisor ended with " << end << "\n";
  return with_counts(128 + SIGKILL);
}

}  // namespace headrace::testing
