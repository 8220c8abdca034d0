#include "transfer/sigpipe_mask.hpp"

#include <cerrno>
#include <ctime>

#include "transfer/transfer_testing.hpp"

// SIGPIPE is the process's own affair: a transfer neither raises, takes nor changes anything of it.
namespace headrace {
namespace {

using namespace transfer_testing;
using testing::file_holding;
using testing::Mode;
using testing::open_pipe;

sigset_t only_sigpipe() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

bool blocked() {
  sigset_t mask;
  testing::must(-::pthread_sigmask(SIG_BLOCK, nullptr, &mask), "pthread_sigmask");
  return sigismember(&mask, SIGPIPE) == 1;
}

bool pending() {
  sigset_t set;
  testing::must(::sigpending(&set), "sigpending");
  return sigismember(&set, SIGPIPE) == 1;
}

void take_pending() {
  const sigset_t set = only_sigpipe();
  constexpr timespec at_once{};
  testing::must(::sigtimedwait(&set, nullptr, &at_once), "sigtimedwait");
}

std::atomic<int> handled{0};
void handle(int) { ++handled; }

/// A disposition of SIGPIPE and a mask for one test; the old ones come back.
class SigpipeState {
 public:
  explicit SigpipeState(void (*wish)(int), bool block = false) {
    struct sigaction wanted{};
    wanted.sa_handler = wish;
    testing::must(::sigaction(SIGPIPE, &wanted, &action_), "sigaction");
    const sigset_t set = only_sigpipe();
    testing::must(-::pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, &mask_),
                  "pthread_sigmask");
  }
  SigpipeState(const SigpipeState&) = delete;
  SigpipeState& operator=(const SigpipeState&) = delete;
  ~SigpipeState() {
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    ::sigaction(SIGPIPE, &action_, nullptr);
  }
  static auto handler() {
    struct sigaction now{};
    testing::must(::sigaction(SIGPIPE, nullptr, &now), "sigaction");
    return now.sa_handler;
  }

 private:
  struct sigaction action_{};
  sigset_t mask_{};
};

void write_to_nobody() {
  auto pipe = open_pipe();
  pipe.reader = {};
  EXPECT_EQ(::write(pipe.writer.ref().number(), "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
}

TEST(SigpipeMask, TakesTheSignalThatWasRaisedMeanwhile) {
  const SigpipeState state(SIG_DFL);
  {
    const SigpipeMask mask;
    EXPECT_TRUE(blocked());
    write_to_nobody();
    EXPECT_TRUE(pending());
  }
  EXPECT_FALSE(pending());
  EXPECT_FALSE(blocked());
}

TEST(SigpipeMask, LeavesAMaskThatWasThereBefore) {
  const SigpipeState state(SIG_DFL, true);
  {
    const SigpipeMask mask;
    write_to_nobody();
  }
  EXPECT_TRUE(blocked());
  EXPECT_FALSE(pending());
}

TEST(SigpipeMask, LeavesASignalThatWasPendingBefore) {
  const SigpipeState state(SIG_DFL, true);
  testing::must(-::pthread_kill(::pthread_self(), SIGPIPE), "pthread_kill");
  {
    const SigpipeMask mask;
    write_to_nobody();
  }
  EXPECT_TRUE(pending());
  take_pending();
}

TEST(SigpipeMask, DoesNothingWhereTheProcessIgnoresIt) {
  const SigpipeState state(SIG_IGN);
  const SigpipeMask mask;
  EXPECT_FALSE(blocked());
  write_to_nobody();
}

TEST(SigpipeMask, CanBeNested) {
  const SigpipeState state(SIG_DFL);
  {
    const SigpipeMask outer;
    {
      const SigpipeMask inner;
      write_to_nobody();
    }
    EXPECT_TRUE(blocked());
  }
  EXPECT_FALSE(blocked());
  EXPECT_FALSE(pending());
}

// Every way to write to a pipe or socket whose reader is gone.
void expect_broken_pipes() {
  const Descriptor source = file_holding("bytes");
  for (const auto* method : {"splice", "sendfile", "read_write"}) {
    auto pipe = open_pipe(Mode::nonblocking);
    pipe.reader = {};
    const Report report = move(body_of(source.ref(), 0), pipe.writer, only({method}));
    EXPECT_EQ(report.outcome, Outcome::failed) << method;
    EXPECT_EQ(number_of(report.legs.back().error), EPIPE) << method;
  }
  for (const auto* method : {"splice_pipe", "sendfile", "read_write"}) {
    auto socket = testing::connected_unix(Mode::nonblocking);
    socket.far = {};
    const Report report = move(body_of(source.ref(), 0), socket.near, only({method}));
    EXPECT_EQ(number_of(report.legs.back().error), EPIPE) << method;
  }
}

TEST(TransferSigpipe, NeverReachesTheProcess) {
  const SigpipeState state(SIG_DFL);  // delivered, it would end the test program
  expect_broken_pipes();
  EXPECT_EQ(SigpipeState::handler(), SIG_DFL);
  EXPECT_FALSE(blocked());
  EXPECT_FALSE(pending());
}

TEST(TransferSigpipe, CallsNoHandler) {
  const SigpipeState state(handle);
  handled = 0;
  expect_broken_pipes();
  EXPECT_EQ(handled, 0);
  EXPECT_EQ(SigpipeState::handler(), handle);
}

TEST(TransferSigpipe, StaysIgnoredWhereItWas) {
  const SigpipeState state(SIG_IGN);
  expect_broken_pipes();
  EXPECT_EQ(SigpipeState::handler(), SIG_IGN);
  EXPECT_FALSE(blocked());
}

TEST(TransferSigpipe, APendingOneOfTheCallersStays) {
  const SigpipeState state(SIG_DFL, true);
  testing::must(-::pthread_kill(::pthread_self(), SIGPIPE), "pthread_kill");
  expect_broken_pipes();
  EXPECT_TRUE(pending());
  EXPECT_TRUE(blocked());
  take_pending();
}

}  // namespace
}  // namespace headrace
