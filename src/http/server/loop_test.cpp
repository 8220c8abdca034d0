#include "http/server/loop.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/ends.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"

namespace headrace::http::server {
namespace {

using std::chrono::milliseconds;

/// A handler made of two functions.
class Calls final : public Handler {
 public:
  void ready(std::uint32_t events) override { on_ready(events); }
  void turn() override { on_turn(); }

  std::function<void(std::uint32_t)> on_ready = [](std::uint32_t) {};
  std::function<void()> on_turn = [] {};
};

std::unique_ptr<Loop> open_loop() {
  auto loop = Loop::open();
  if (!loop) testing::give_up("Loop::open", loop.error().code.message());
  return std::move(*loop);
}

/// An eventfd with something to read.
Descriptor ringing() { return Descriptor{testing::must(::eventfd(1, EFD_CLOEXEC), "eventfd")}; }

Watch must_watch(Loop& loop, const Descriptor& descriptor, std::uint32_t events, Handler& handler) {
  auto watch = loop.watch(descriptor.ref(), events, handler);
  if (!watch) testing::give_up("watch", watch.error().code.message());
  return std::move(*watch);
}

/// One round, whatever is ready.
void go_round(Loop& loop) {
  loop.stop();
  ASSERT_TRUE(loop.run());
}

TEST(Loop, TellsAHandlerWhatItsDescriptorIsReadyFor) {
  const auto loop = open_loop();
  const testing::Pair socket = testing::connected_unix();
  std::uint32_t told = 0;
  Calls calls;
  calls.on_ready = [&](std::uint32_t events) {
    told = events;
    loop->stop();
  };
  const Watch watch = must_watch(*loop, socket.near, EPOLLIN | EPOLLOUT | EPOLLRDHUP, calls);
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(told, std::uint32_t{EPOLLOUT});
  testing::must(::write(socket.far.ref().number(), "x", 1), "write");
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(told, std::uint32_t{EPOLLIN | EPOLLOUT});
}

TEST(Loop, AnEdgeIsToldOnceUntilTheWatchIsChanged) {
  const auto loop = open_loop();
  const Descriptor event = ringing();
  int times = 0;
  Calls calls;
  calls.on_ready = [&](std::uint32_t) { ++times; };
  Watch watch = must_watch(*loop, event, EPOLLIN | EPOLLET, calls);
  go_round(*loop);
  go_round(*loop);
  EXPECT_EQ(times, 1);
  ASSERT_TRUE(watch.change(EPOLLIN));
  go_round(*loop);
  go_round(*loop);
  EXPECT_EQ(times, 3) << "a level, each round";
}

TEST(Loop, WhatIsForgottenIsNotTold) {
  const auto loop = open_loop();
  const Descriptor event = ringing();
  int times = 0;
  Calls calls;
  calls.on_ready = [&](std::uint32_t) { ++times; };
  Watch watch = must_watch(*loop, event, EPOLLIN, calls);
  Watch moved = std::move(watch);
  EXPECT_FALSE(watch.active());  // NOLINT(bugprone-use-after-move): that is what is tested
  go_round(*loop);
  EXPECT_EQ(times, 1);
  moved.forget();
  go_round(*loop);
  EXPECT_EQ(times, 1);
}

TEST(Loop, SaysWhatCannotBeWatched) {
  const auto loop = open_loop();
  Calls calls;
  const Descriptor file = testing::file_holding("x");
  EXPECT_EQ(loop->watch(file.ref(), EPOLLIN, calls).error().code.value(), EPERM);
  EXPECT_EQ(loop->watch(DescriptorRef{}, EPOLLIN, calls).error().code.value(), EBADF);
  const Descriptor event = ringing();
  const Watch watch = must_watch(*loop, event, EPOLLIN, calls);
  EXPECT_EQ(loop->watch(event.ref(), EPOLLIN, calls).error().code.value(), EEXIST);
}

/// Two that are ready at once; the first that is told destroys what the test says.
struct Two {
  struct Owner {
    Descriptor event = ringing();
    Calls calls;
    Watch watch;
  };
  std::unique_ptr<Loop> loop = open_loop();
  std::array<std::unique_ptr<Owner>, 2> owners{std::make_unique<Owner>(),
                                               std::make_unique<Owner>()};
  int told = 0;

  explicit Two(const std::function<void(Two&, std::size_t self)>& then) {
    for (std::size_t self = 0; self < 2; ++self) {
      owners[self]->calls.on_ready = [this, self, then](std::uint32_t) {
        ++told;
        const auto own = then;  // the closure may go
        own(*this, self);
      };
      owners[self]->watch = must_watch(*loop, owners[self]->event, EPOLLIN, owners[self]->calls);
    }
  }
};

TEST(Loop, AHandlerMayDestroyItself) {
  Two two([](Two& all, std::size_t self) { all.owners[self].reset(); });
  go_round(*two.loop);
  EXPECT_EQ(two.told, 2);
  go_round(*two.loop);
  EXPECT_EQ(two.told, 2);
}

TEST(Loop, AHandlerMayDestroyAnotherThatIsReadyToo) {
  Two two([](Two& all, std::size_t self) { all.owners[1 - self].reset(); });
  go_round(*two.loop);
  EXPECT_EQ(two.told, 1);
}

TEST(Loop, AnEventOfAClosedDescriptorIsNotToldToTheNextOfItsNumber) {
  Calls newcomer;
  int told = 0;
  newcomer.on_ready = [&](std::uint32_t) { ++told; };
  Descriptor next;
  Watch watch;
  Two two([&](Two& all, std::size_t self) {
    const int number = all.owners[1 - self]->event.ref().number();
    all.owners[1 - self].reset();
    next = Descriptor{testing::must(::eventfd(0, EFD_CLOEXEC), "eventfd")};
    ASSERT_EQ(next.ref().number(), number) << "the lowest that is free";
    watch = must_watch(*all.loop, next, EPOLLIN, newcomer);
  });
  go_round(*two.loop);
  EXPECT_EQ(two.told, 1);
  EXPECT_EQ(told, 0);
  watch.forget();
}

TEST(Loop, WhoAsksAgainGetsItsTurnAfterAllOthers) {
  const auto loop = open_loop();
  std::string order;
  std::array<Calls, 3> busy;
  for (std::size_t index = 0; index < busy.size(); ++index) {
    busy[index].on_turn = [&, index] {
      order += static_cast<char>('a' + index);
      loop->again(busy[index]);
    };
    loop->again(busy[index]);
    loop->again(busy[index]);  // twice is once
  }
  for (int rounds = 0; rounds < 3; ++rounds) go_round(*loop);
  EXPECT_EQ(order, "abcabcabc");
}

TEST(Loop, EventsAreToldBetweenTheTurnsOfTheBusy) {
  const auto loop = open_loop();
  const Descriptor event = ringing();
  std::string order;
  Calls busy;
  busy.on_turn = [&] {
    order += 't';
    loop->again(busy);
    if (order.size() >= 8) loop->stop();
  };
  Calls calls;
  calls.on_ready = [&](std::uint32_t) { order += 'e'; };
  const Watch watch = must_watch(*loop, event, EPOLLIN, calls);
  loop->again(busy);
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(order, "etetetet");
}

TEST(Loop, AThousandBusyOnesDoNotKeepAnEventFromBeingTold) {
  const auto loop = open_loop();
  std::vector<Calls> busy(1000);
  std::size_t turns = 0;
  for (auto& each : busy) {
    each.on_turn = [&, own = &each] {
      ++turns;
      loop->again(*own);
    };
    loop->again(each);
  }
  const Descriptor event = ringing();
  std::vector<std::size_t> seen;
  Calls calls;
  calls.on_ready = [&](std::uint32_t) { seen.push_back(turns); };
  const Watch watch = must_watch(*loop, event, EPOLLIN, calls);
  for (int rounds = 0; rounds < 20; ++rounds) go_round(*loop);
  ASSERT_EQ(seen.size(), 20U);
  for (std::size_t index = 1; index < seen.size(); ++index) {
    EXPECT_LT(seen[index] - seen[index - 1], busy.size()) << "a part of them between two events";
    EXPECT_GT(seen[index], seen[index - 1]);
  }
}

TEST(Loop, MoreReadyOnesThanARoundTellsAreAllTold) {
  const auto loop = open_loop();
  std::vector<Descriptor> events(300);
  std::vector<Calls> calls(events.size());
  std::vector<int> told(events.size());
  std::vector<Watch> watches;
  for (std::size_t index = 0; index < events.size(); ++index) {
    events[index] = ringing();
    calls[index].on_ready = [&, index](std::uint32_t) { ++told[index]; };
    watches.push_back(must_watch(*loop, events[index], EPOLLIN, calls[index]));
  }
  for (int rounds = 0; rounds < 3; ++rounds) go_round(*loop);
  for (const int times : told) EXPECT_GE(times, 1);
}

TEST(Loop, AHandlerThatIsDestroyedLosesItsTurn) {
  const auto loop = open_loop();
  int turns = 0;
  std::array<std::unique_ptr<Calls>, 3> busy;
  for (auto& each : busy) {
    each = std::make_unique<Calls>();
    each->on_turn = [&] { ++turns; };
    loop->again(*each);
  }
  busy[0]->on_turn = [&busy, &turns] {
    ++turns;
    busy[1].reset();
  };
  busy[2]->on_turn = [&busy, &turns] {
    ++turns;
    busy[2].reset();
  };
  go_round(*loop);
  EXPECT_EQ(turns, 2);
}

TEST(Loop, AHandlerMayOutliveTheLoopItWaitsIn) {
  Calls calls;
  auto loop = open_loop();
  loop->again(calls);
  loop.reset();
  auto next = open_loop();
  int turns = 0;
  calls.on_turn = [&] { ++turns; };
  next->again(calls);
  go_round(*next);
  EXPECT_EQ(turns, 1);
}

TEST(Loop, WakesForATimer) {
  const auto loop = open_loop();
  Timer timer(loop->timers(), [&] { loop->stop(); });
  const auto when = Clock::now() + milliseconds{5};
  timer.set(when);
  ASSERT_TRUE(loop->run());
  EXPECT_GE(Clock::now(), when);
  EXPECT_GE(loop->now(), when);
}

TEST(Loop, CallsLettersFromOtherThreadsInTheirOrder) {
  constexpr int letters = 2000;
  constexpr int threads = 4;
  const auto loop = open_loop();
  std::array<std::vector<int>, threads> received;
  int total = 0;
  const auto send = [&](std::size_t thread) {
    for (int letter = 0; letter < letters; ++letter) {
      loop->post([&, thread, letter] {
        received[thread].push_back(letter);
        if (++total == threads * letters) loop->stop();
      });
    }
  };
  std::vector<std::jthread> senders;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    senders.emplace_back([&send, thread] { send(thread); });
  }
  ASSERT_TRUE(loop->run());
  for (const auto& each : received) {
    ASSERT_EQ(each.size(), static_cast<std::size_t>(letters));
    for (int letter = 0; letter < letters; ++letter) {
      EXPECT_EQ(each[static_cast<std::size_t>(letter)], letter);
    }
  }
}

TEST(Loop, ALetterPostedByALetterComesAfterTheEvents) {
  const auto loop = open_loop();
  const Descriptor event = ringing();
  std::string order;
  Calls calls;
  calls.on_ready = [&](std::uint32_t) { order += 'e'; };
  const Watch watch = must_watch(*loop, event, EPOLLIN, calls);
  std::function<void()> letter = [&] {
    order += 'l';
    if (order.size() < 6) {
      loop->post(letter);
    } else {
      loop->stop();
    }
  };
  loop->post(letter);
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(order, "elelel");
}

TEST(Loop, LettersToALoopThatIsGoneAreDestroyedUncalled) {
  auto loop = open_loop();
  const auto mailbox = loop->mailbox();
  const auto held = std::make_shared<int>(1);
  const auto letter = [&] { return [held] { ++*held; }; };
  EXPECT_TRUE(mailbox->post(letter()));
  loop.reset();
  EXPECT_FALSE(mailbox->post(letter()));
  EXPECT_EQ(*held, 1);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Loop, IsStoppedFromAnotherThreadAndRunsAgain) {
  const auto loop = open_loop();
  for (int times = 0; times < 3; ++times) {
    const std::jthread other([&] { loop->stop(); });
    ASSERT_TRUE(loop->run());
  }
  bool called = false;
  loop->post([&] { called = true; });
  go_round(*loop);
  EXPECT_TRUE(called);
}

}  // namespace
}  // namespace headrace::http::server
