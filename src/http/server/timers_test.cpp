#include "http/server/timers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace headrace::http::server {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t all = 1'000'000;
constexpr Clock::time_point at(int moment) { return Clock::time_point{milliseconds{moment}}; }

TEST(Timers, CallWhatIsDueOnceTheEarliestFirst) {
  Timers timers;
  std::string called;
  Timer second(timers, [&] { called += '2'; });
  Timer first(timers, [&] { called += '1'; });
  Timer later(timers, [&] { called += 'L'; });
  second.set(at(20));
  later.set(at(30));
  first.set(at(10));
  EXPECT_EQ(timers.next(), at(10));
  timers.run(at(20), all);
  EXPECT_EQ(called, "12");
  EXPECT_FALSE(first.is_set());
  EXPECT_TRUE(later.is_set());
  timers.run(at(29), all);
  EXPECT_EQ(called, "12");
  timers.run(at(30), all);
  EXPECT_EQ(called, "12L");
  EXPECT_EQ(timers.next(), std::nullopt);
}

TEST(Timers, ATimerMovedToLaterIsDueThenAlone) {
  Timers timers;
  int calls = 0;
  Timer timer(timers, [&] { ++calls; });
  timer.set(at(10));
  timer.set(at(50));
  timers.run(at(49), all);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(timers.next(), at(50));
  timers.run(at(50), all);
  EXPECT_EQ(calls, 1);
}

TEST(Timers, ATimerMovedToEarlierIsDueThenAlone) {
  Timers timers;
  int calls = 0;
  Timer other(timers, [] {});
  Timer timer(timers, [&] { ++calls; });
  other.set(at(20));
  timer.set(at(50));
  timer.set(at(10));
  EXPECT_EQ(timers.next(), at(10));
  timers.run(at(10), all);
  timers.run(at(50), all);
  EXPECT_EQ(calls, 1);
}

TEST(Timers, ACancelledTimerIsNotCalledAndCanBeSetAgain) {
  Timers timers;
  int calls = 0;
  Timer timer(timers, [&] { ++calls; });
  timer.set(at(10));
  timer.cancel();
  timers.run(at(10), all);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(timers.next(), std::nullopt);
  timer.set(at(5));
  timers.run(at(10), all);
  EXPECT_EQ(calls, 1);
}

TEST(Timers, ACallMaySetItsOwnTimerForTheNextRunNotForThisOne) {
  Timers timers;
  int calls = 0;
  std::optional<Timer> timer;
  timer.emplace(timers, [&] {
    ++calls;
    timer->set(at(1));
  });
  timer->set(at(1));
  timers.run(at(10), all);
  EXPECT_EQ(calls, 1);
  timers.run(at(11), all);
  EXPECT_EQ(calls, 2);
}

TEST(Timers, ACallMayDestroyItsOwnTimerAndOneThatIsDueToo) {
  Timers timers;
  std::array<std::unique_ptr<Timer>, 2> pair;
  int calls = 0;
  for (auto& timer : pair) {
    timer = std::make_unique<Timer>(timers, [&pair, &calls] {
      ++calls;
      for (auto& each : pair) each.reset();
    });
    timer->set(at(10));
  }
  timers.run(at(10), all);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(timers.next(), std::nullopt);
}

TEST(Timers, CallsNoMoreThanItWasToldTo) {
  Timers timers;
  int calls = 0;
  std::vector<std::unique_ptr<Timer>> many;
  for (int moment = 0; moment < 10; ++moment) {
    many.push_back(std::make_unique<Timer>(timers, [&] { ++calls; }));
    many.back()->set(at(moment));
  }
  timers.run(at(100), 4);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(timers.next(), at(4));
  timers.run(at(100), all);
  EXPECT_EQ(calls, 10);
}

// A thousand connections that move their timer at each request, cancel it and die, against a list
// that is searched from end to end.
class Model {
 public:
  void run_steps(int steps) {
    for (now_ = 0; now_ < steps; ++now_) {
      step();
      timers_.run(at(now_), all);
      std::erase_if(due_, [&](const auto& entry) { return entry.second > now_; });
      ASSERT_TRUE(due_.empty()) << "not called at " << now_;
    }
  }
  [[nodiscard]] int calls() const { return calls_; }

 private:
  using Due = std::pair<std::size_t, int>;

  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  void step() {
    for (int turns = 0; turns < 20; ++turns) touch(below(timers_of_.size()));
    due_.clear();
    for (std::size_t index = 0; index < when_.size(); ++index) {
      if (when_[index] && *when_[index] <= now_) due_.emplace_back(index, *when_[index]);
    }
  }
  void touch(std::size_t index) {
    auto& timer = timers_of_[index];
    switch (below(8)) {
      case 0:
        timer.reset();
        when_[index].reset();
        return;
      case 1:
        if (timer) timer->cancel();
        when_[index].reset();
        return;
      default:
        if (!timer) timer = std::make_unique<Timer>(timers_, [this, index] { called(index); });
        when_[index] = now_ + 1 + static_cast<int>(below(300));
        timer->set(at(*when_[index]));
    }
  }
  void called(std::size_t index) {
    ++calls_;
    EXPECT_EQ(when_[index], now_) << "called at a moment it was not set for";
    when_[index].reset();
    std::erase_if(due_, [&](const Due& entry) { return entry.first == index; });
  }

  std::mt19937 random_{1};
  Timers timers_;
  std::vector<std::unique_ptr<Timer>> timers_of_{1000};
  std::vector<std::optional<int>> when_ = std::vector<std::optional<int>>(1000);
  std::vector<Due> due_;
  int now_ = 0;
  int calls_ = 0;
};

TEST(Timers, ManyThatAreMovedCancelledAndDestroyedAreCalledWhenTheyShould) {
  Model model;
  model.run_steps(5000);
  EXPECT_GT(model.calls(), 1000);
}

}  // namespace
}  // namespace headrace::http::server
