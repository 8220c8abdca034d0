#include "http/server/workers.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <future>
#include <memory>
#include <vector>

#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/must.hpp"

namespace headrace::http::server {
namespace {

std::unique_ptr<Workers> start(std::size_t threads) {
  auto workers = Workers::start(threads);
  if (!workers) testing::give_up("Workers::start", workers.error().code.message());
  return std::move(*workers);
}

std::unique_ptr<Loop> open_loop() {
  auto loop = Loop::open();
  if (!loop) testing::give_up("Loop::open", loop.error().code.message());
  return std::move(*loop);
}

TEST(Workers, OneThreadTakesTheJobsInTheirOrder) {
  std::vector<int> order;
  {
    const auto workers = start(1);
    for (int job = 0; job < 100; ++job) workers->run([&, job] { order.push_back(job); });
  }
  ASSERT_EQ(order.size(), 100U);
  for (int job = 0; job < 100; ++job) EXPECT_EQ(order[static_cast<std::size_t>(job)], job);
}

TEST(Workers, JobsRunAtTheSameTime) {
  std::promise<void> one;
  std::promise<void> other;
  const auto workers = start(2);
  // Each waits for the other: in one thread neither would end.
  workers->run([&] {
    one.set_value();
    other.get_future().wait();
  });
  workers->run([&] {
    one.get_future().wait();
    other.set_value();
  });
}

TEST(Workers, TheCompletionRunsOnTheLoopThatAsked) {
  const auto loop = open_loop();
  const auto workers = start(1);
  const auto own = std::this_thread::get_id();
  std::thread::id worked;
  int result = 0;
  workers->run(
      *loop,
      [&] {
        worked = std::this_thread::get_id();
        return std::make_unique<int>(7);
      },
      [&](std::unique_ptr<int> number) {
        EXPECT_EQ(std::this_thread::get_id(), own);
        result = *number;
        workers->run(*loop, [] {}, [&] { loop->stop(); });  // work that returns nothing
      });
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(result, 7);
  EXPECT_NE(worked, own);
  EXPECT_NE(worked, std::thread::id{});
}

TEST(Workers, ACompletionOfALoopThatIsGoneIsDropped) {
  auto loop = open_loop();
  auto workers = start(1);
  std::promise<void> gone;
  std::atomic<bool> worked{false};
  const auto held = std::make_shared<int>(1);
  workers->run(
      *loop,
      [&] {
        gone.get_future().wait();
        worked = true;
        return 1;
      },
      [held](int) { ++*held; });
  loop.reset();
  gone.set_value();
  workers.reset();
  EXPECT_TRUE(worked);
  EXPECT_EQ(*held, 1);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Workers, JobsThatHaveNotBegunAreFinishedAtTheEnd) {
  std::atomic<int> done{0};
  {
    std::promise<void> begin;
    const auto workers = start(1);
    workers->run([&] {
      begin.get_future().wait();
      ++done;
    });
    for (int job = 0; job < 50; ++job) workers->run([&] { ++done; });
    EXPECT_EQ(done, 0);
    begin.set_value();
  }
  EXPECT_EQ(done, 51);
}

TEST(Workers, ABrokenPipeIsAnErrorAndNoSignal) {
  // In a child: a test program may be run with SIGPIPE ignored, which would prove nothing.
  const int status = testing::run_in_child([] {
    std::signal(SIGPIPE, SIG_DFL);
    testing::Pipe pipe = testing::open_pipe();
    pipe.reader = {};
    std::atomic<int> answer{0};
    start(1)->run([&] {
      if (::write(pipe.writer.ref().number(), "x", 1) < 0) answer = errno;
    });
    return answer == EPIPE ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST(Workers, SignalsToTheProcessDoNotReachThem) {
  const auto workers = start(1);
  sigset_t before;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  EXPECT_EQ(sigismember(&before, SIGTERM), 0) << "the starter's own mask is as it was";
  std::promise<sigset_t> mask;
  workers->run([&] {
    sigset_t set;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &set);
    mask.set_value(set);
  });
  const sigset_t set = mask.get_future().get();
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGURG, SIGXFSZ}) {
    EXPECT_EQ(sigismember(&set, number), 1) << number;
  }
  EXPECT_EQ(sigismember(&set, SIGSEGV), 0) << "a fault of its own must be told";
}

}  // namespace
}  // namespace headrace::http::server
