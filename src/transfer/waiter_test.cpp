#include "transfer/waiter.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "support/deny.hpp"
#include "support/jobs.hpp"
#include "transfer/transfer_testing.hpp"

namespace headrace {
namespace {

using std::chrono::milliseconds;
using testing::job_between;
using testing::Mode;
using testing::open_pipe;
using transfer_testing::Brake;

constexpr milliseconds soon{20};

/// No source is guarded.
Keeping& nobody() {
  static Keeping keeping;
  return keeping;
}

void put(const Descriptor& destination) {
  testing::must(::write(destination.ref().number(), "x", 1), "write");
}

/// A silent source, a destination with room, and a job between the two.
struct Ends {
  testing::Pipe from = open_pipe();
  testing::Pipe to = open_pipe(Mode::nonblocking);
  Job job = job_between(from.reader, to.writer);
};

TEST(Waiter, IsReadyWhenTheSourceHasBytes) {
  const Ends ends;
  put(ends.from.writer);
  EXPECT_EQ(Waiter(ends.job, {}, nobody()).wait(Wait::source_readable), Woken::ready);
}

TEST(Waiter, IsReadyWhenTheSourceHasEnded) {
  Ends ends;
  ends.from.writer = {};
  EXPECT_EQ(Waiter(ends.job, {}, nobody()).wait(Wait::source_readable), Woken::ready);
}

TEST(Waiter, IsWokenByBytesThatComeLater) {
  const Ends ends;
  const std::jthread writer([&] { put(ends.from.writer); });
  EXPECT_EQ(Waiter(ends.job, {}, nobody()).wait(Wait::source_readable), Woken::ready);
}

TEST(Waiter, IsReadyWhenTheDestinationHasRoom) {
  const Ends ends;
  EXPECT_EQ(Waiter(ends.job, {}, nobody()).wait(Wait::destination_writable), Woken::ready);
}

TEST(Waiter, IsReadyWhenADestinationThatIsWaitedForBreaks) {
  Ends ends;
  testing::fill(ends.to.writer.ref());
  ends.to.reader = {};
  EXPECT_EQ(Waiter(ends.job, {}, nobody()).wait(Wait::destination_writable), Woken::ready)
      << "the next call says how";
}

TEST(Waiter, ATimerIsShortAndNeedsNoEnd) {
  const Ends ends;
  EXPECT_EQ(Waiter(ends.job, {}, nobody()).wait(Wait::timer), Woken::ready);
}

TEST(Waiter, WaitsForNothingAtOnce) {
  const Ends ends;
  Brake brake;
  Waiter waiter(ends.job, {.stop = brake.stop()}, nobody());
  EXPECT_EQ(waiter.wait(Wait::nothing), Woken::ready);
  brake.raise_flag();
  EXPECT_EQ(waiter.wait(Wait::nothing), Woken::stopped);
}

TEST(Waiter, AStopComesBeforeEverything) {
  const Ends ends;
  put(ends.from.writer);
  Brake brake;
  brake.raise_flag();
  Waiter waiter(ends.job, {.stop = brake.stop()}, nobody());
  for (const Wait wait : {Wait::source_readable, Wait::destination_writable, Wait::timer})
    EXPECT_EQ(waiter.wait(wait), Woken::stopped);
  EXPECT_EQ(waiter.wait_until(Clock::now() + std::chrono::hours{1}), Woken::stopped);
}

TEST(Waiter, TheStopsDescriptorEndsAWait) {
  const Ends ends;
  Brake brake;
  const std::jthread other([&] { brake.pull(); });
  EXPECT_EQ(Waiter(ends.job, {.stop = brake.stop()}, nobody()).wait(Wait::source_readable),
            Woken::stopped);
}

TEST(Waiter, SilenceEndsAWait) {
  const Ends ends;
  testing::fill(ends.to.writer.ref());
  for (const Wait wait : {Wait::source_readable, Wait::destination_writable})
    EXPECT_EQ(Waiter(ends.job, {.idle_timeout = soon}, nobody()).wait(wait), Woken::silent);
  EXPECT_EQ(Waiter(ends.job, {.idle_timeout = soon}, nobody())
                .wait_until(Clock::now() + std::chrono::hours{1}),
            Woken::silent);
}

TEST(Waiter, SilenceIsMeasuredFromTheLastProgress) {
  const Ends ends;
  Waiter waiter(ends.job, {.idle_timeout = milliseconds{0}}, nobody());
  EXPECT_EQ(waiter.wait_until(Clock::now() + std::chrono::hours{1}), Woken::silent);
  Waiter patient(ends.job, {.idle_timeout = std::chrono::hours{1}}, nobody());
  patient.progressed();
  EXPECT_EQ(patient.wait_until(Clock::now() + soon), Woken::ready);
}

TEST(Waiter, SeesThatTheDestinationIsGoneWhileTheSourceIsSilent) {
  Ends ends;
  ends.to.reader = {};
  EXPECT_EQ(Waiter(ends.job, {}, nobody()).wait(Wait::source_readable), Woken::destination_gone);
}

TEST(Waiter, TakesWhatTheSourceHasFirst) {
  Ends ends;
  put(ends.from.writer);
  ends.to.reader = {};
  EXPECT_EQ(Waiter(ends.job, {}, nobody()).wait(Wait::source_readable), Woken::ready);
}

// A terminal whose user has not come yet hangs up and takes bytes all the same. To be woken by it
// again and again would be a busy loop: the twentieth poll(2) is refused.
TEST(Waiter, AHungUpTerminalIsNotGoneAndCostsNoBusyLoop) {
  const auto late = [](int call) { return testing::denied(call, EPERM).from(20); };
  const int status = testing::run_denied({late(SYS_poll), late(SYS_ppoll)}, [] {
    const Ends ends;
    testing::Pair terminal = testing::open_terminal();
    terminal.near = {};
    const Job job = job_between(ends.from.reader, terminal.far);
    return Waiter(job, {.idle_timeout = soon}, nobody()).wait(Wait::source_readable) ==
                   Woken::silent
               ? 0
               : 1;
  });
  if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

TEST(Waiter, AFullSocketIsSilentUntilItsPeerReads) {
  const testing::Pair socket = testing::connected_tcp(Mode::nonblocking);
  const Ends ends;
  testing::fill(socket.near.ref());
  const Job job = job_between(ends.from.reader, socket.near);
  EXPECT_EQ(Waiter(job, {.idle_timeout = soon}, nobody()).wait(Wait::destination_writable),
            Woken::silent);
  const testing::Drain reader(socket.far);
  EXPECT_EQ(Waiter(job, {.idle_timeout = std::chrono::hours{1}}, nobody())
                .wait(Wait::destination_writable),
            Woken::ready);
}

// An engine that waits for completions only has a timer; its peer is alive while it takes bytes.
// Here it takes some half an idle time-out after the start, and no more.
class PeerThatTakesSomeBytes {
 public:
  PeerThatTakesSomeBytes() { testing::fill(socket_.near.ref()); }

  /// What ends the waits until a quarter of a time-out after the first one; nothing where this
  /// machine once stood still for so long that the answer means nothing.
  std::optional<Woken> answer() {
    auto woken = wait_until(start_ + idle / 2);
    if (woken != Woken::ready) return woken;
    std::string room(1 << 20, '\0');  // as much as makes the window open again
    testing::must(::read(socket_.far.ref().number(), room.data(), room.size()), "read");
    return wait_until(start_ + idle * 5 / 4);
  }
  Woken after_all() {
    Woken woken = Woken::ready;
    while (woken == Woken::ready) woken = waiter_.wait(Wait::timer);
    return woken;
  }

 private:
  static constexpr milliseconds idle{1000};

  std::optional<Woken> wait_until(Clock::time_point end) {
    while (last_ < end) {
      const Woken woken = waiter_.wait(Wait::timer);
      const auto before = std::exchange(last_, Clock::now());
      if (last_ - before > idle / 16) return std::nullopt;
      if (woken != Woken::ready) return woken;
    }
    return Woken::ready;
  }

  testing::Pair socket_ = testing::connected_tcp(Mode::nonblocking);
  Ends ends_;
  Job job_ = job_between(ends_.from.reader, socket_.near);
  Waiter waiter_{job_, {.idle_timeout = idle}, nobody()};
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

TEST(Waiter, ATimerIsNoSilenceWhileThePeerTakesBytes) {
  for (int attempts = 0; attempts < 30; ++attempts) {
    PeerThatTakesSomeBytes peer;
    const auto answer = peer.answer();
    if (!answer) continue;
    EXPECT_EQ(*answer, Woken::ready);
    EXPECT_EQ(peer.after_all(), Woken::silent) << "the peer reads no more";
    return;
  }
  GTEST_SKIP() << "this machine stands still too often";
}

// What MSG_ZEROCOPY tells of comes by the error queue and makes poll(2) answer POLLERR.
TEST(Waiter, ANotificationInTheErrorQueueIsNoBrokenPeer) {
  const testing::Pair socket = testing::connected_tcp(Mode::nonblocking);
  const Ends ends;
  const int on = 1;
  const int number = socket.near.ref().number();
  testing::must(::setsockopt(number, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof on), "setsockopt");
  testing::must(::send(number, "x", 1, MSG_ZEROCOPY), "send");
  pollfd queue{.fd = number, .events = 0, .revents = 0};
  ASSERT_EQ(::poll(&queue, 1, 10'000), 1) << "a notification";
  const Job job = job_between(ends.from.reader, socket.near);
  for (const Replies replies : {Replies::ignored, Replies::discarded}) {
    const Options options{.idle_timeout = soon, .replies = replies};
    EXPECT_EQ(Waiter(job, options, nobody()).wait(Wait::source_readable), Woken::silent);
    EXPECT_EQ(Waiter(job, options, nobody()).wait(Wait::timer), Woken::ready);
  }
}

TEST(Waiter, SaysSoWherePollIsRefused) {
  EXPECT_EQ(testing::run_in_child([] {
              const Ends ends;
              testing::deny_call(SYS_poll, EPERM);
              testing::deny_call(SYS_ppoll, EPERM);
              Waiter waiter(ends.job, {}, nobody());
              const bool told = waiter.wait(Wait::source_readable) == Woken::cannot_wait;
              return told && waiter.trouble()->code.value() == EPERM ? 0 : 1;
            }),
            0);
}

}  // namespace
}  // namespace headrace
