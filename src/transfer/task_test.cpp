#include "transfer/task.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>

#include <optional>

#include "support/deny.hpp"
#include "transfer/transfer_testing.hpp"

namespace headrace {
namespace {

using testing::file_holding;
using testing::Mode;
using testing::open_pipe;
using testing::random_bytes;
using testing::read_all;
using transfer_testing::body_of_file;
using transfer_testing::Brake;
using transfer_testing::number_of;
using transfer_testing::only;
using transfer_testing::waiting_in;
using What = Need::What;

Memory memory_of(std::string_view text) { return {std::as_bytes(std::span(text))}; }

/// The report of a task that could start.
Report finished(Task& task) {
  auto report = task.finish();
  if (!report) testing::give_up(report.error().call, report.error().code.message());
  return std::move(*report);
}

/// Reads what there is, without waiting.
std::string taken_from(const Descriptor& end) {
  std::string bytes(waiting_in(end), '\0');
  testing::must(::read(end.ref().number(), bytes.data(), bytes.size()), "read");
  return bytes;
}

TEST(Task, GoesOnWhenASlowPeerHasTakenSomething) {
  const std::string content = random_bytes(3'000'000);
  const Descriptor source = file_holding(content);
  for (const char* method : {"sendfile", "splice_pipe", "read_write"}) {
    const testing::Pair pair = testing::connected_unix(Mode::nonblocking);
    const Body body = body_of(source.ref(), 0);
    const Options options = only({method});
    Task task(body, Plain{pair.near.ref()}, options);
    std::string arrived;
    int waits = 0;
    for (Need need = task.turn(everything); need.what != What::over; need = task.turn(everything)) {
      waits += need.what == What::destination_writable ? 1 : 0;
      arrived += taken_from(pair.far);
      task.woken(Woken::ready);
    }
    arrived += taken_from(pair.far);
    const Report report = finished(task);
    EXPECT_EQ(report.outcome, Outcome::complete) << method;
    EXPECT_EQ(report.bytes, content.size());
    EXPECT_GT(waits, 1) << method;
    EXPECT_TRUE(arrived == content) << method;
  }
}

TEST(Task, ATurnMovesNoMoreThanItsBudgetOverPiecesAndMethods) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  const std::string head(700, 'h');
  const Body body{.pieces = {{memory_of(head), {}, {}},
                             {Plain{source.ref()}, 0, 5'000},
                             {memory_of(head), {}, {}},
                             {Plain{source.ref()}, 5'000, 5'000}}};
  const Options options;
  Task task(body, Plain{destination.ref()}, options);
  int turns = 0;
  for (Bytes before = 0; task.turn(1'000).what == What::turn; before = task.done(), ++turns) {
    EXPECT_EQ(task.done() - before, 1'000U);
    EXPECT_EQ(task.so_far().bytes, task.done());
    EXPECT_EQ(read_all(destination).size(), task.done());
  }
  EXPECT_EQ(turns, 11);
  EXPECT_EQ(finished(task).bytes, 11'400U);
  EXPECT_EQ(read_all(destination), head + content.substr(0, 5'000) + head + content.substr(5'000));
}

TEST(Task, WithoutABudgetMovesNothing) {
  const Descriptor source = file_holding("content");
  const Descriptor destination = file_holding("");
  const Body body = body_of_file(source);
  const Options options;
  Task task(body, Plain{destination.ref()}, options);
  EXPECT_EQ(task.turn(0).what, What::turn);
  EXPECT_EQ(task.done(), 0U);
  EXPECT_EQ(task.turn(7).what, What::over);
  EXPECT_EQ(finished(task).outcome, Outcome::complete);
}

TEST(Task, SaysWhatASilentSourceNeeds) {
  auto pipe = open_pipe();
  const Descriptor destination = file_holding("");
  const Body body = body_of_file(pipe.reader);
  const Options options;
  Task task(body, Plain{destination.ref()}, options);
  EXPECT_EQ(task.turn(everything).what, What::source_readable);
  testing::must(::write(pipe.writer.ref().number(), "late", 4), "write");
  EXPECT_EQ(task.turn(everything).what, What::source_readable);
  EXPECT_EQ(task.done(), 4U);
  pipe.writer = {};
  EXPECT_EQ(task.turn(everything).what, What::over);
  EXPECT_EQ(finished(task).bytes, 4U);
  EXPECT_EQ(read_all(destination), "late");
}

TEST(Task, SaysWhenThePaceAllowsMore) {
  const Descriptor source = file_holding(random_bytes(1'000));
  const Descriptor destination = file_holding("");
  const Body body = paced(body_of_file(source), 10);
  const Options options;
  Task task(body, Plain{destination.ref()}, options);
  const auto before = Clock::now();
  Need need = task.turn(everything);
  while (need.what == What::turn) need = task.turn(everything);
  EXPECT_EQ(need.what, What::time);
  EXPECT_GT(need.when, before);
  EXPECT_LT(task.done(), 1'000U);
}

/// A task that stands before a full socket.
struct Stuck {
  explicit Stuck(Options how = {}) : options(std::move(how)) {
    while (task.turn(everything).what != What::destination_writable) {
    }
  }

  std::string content = random_bytes(3'000'000);
  Descriptor source = file_holding(content);
  testing::Pair pair = testing::connected_unix(Mode::nonblocking);
  Body body = body_of(source.ref());
  Options options;
  Task task{body, Plain{pair.near.ref()}, options};
};

TEST(Task, IsEndedByWhoeverWaitsForIt) {
  Stuck silent;
  silent.task.woken(Woken::silent);
  EXPECT_EQ(silent.task.turn(everything).what, What::over);
  const Report report = finished(silent.task);
  EXPECT_EQ(report.outcome, Outcome::failed);
  EXPECT_EQ(number_of(report.legs.back().error), ETIMEDOUT);

  Stuck gone;
  gone.task.woken(Woken::destination_gone);
  EXPECT_EQ(gone.task.turn(everything).what, What::over);
  EXPECT_EQ(number_of(finished(gone.task).legs.back().error), EPIPE);

  Stuck broken;
  broken.task.woken(Woken::cannot_wait, fail("epoll_wait", ECONNRESET).error());
  EXPECT_EQ(broken.task.turn(everything).what, What::over);
  EXPECT_EQ(number_of(finished(broken.task).legs.back().error), ECONNRESET);
}

TEST(Task, IsStoppedWithExactCounts) {
  Stuck stuck;
  const Bytes done = stuck.task.done();
  EXPECT_GT(done, 0U);
  stuck.task.woken(Woken::stopped);
  EXPECT_EQ(stuck.task.turn(everything).what, What::over);
  const Report report = finished(stuck.task);
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_EQ(report.bytes, done);
  EXPECT_EQ(report.legs.back().ending, Ending::paused);
  EXPECT_EQ(testing::offset_of(stuck.source), done) << "the position follows";
}

TEST(Task, LooksAtTheStopInEachTurn) {
  Brake brake;
  Stuck stuck({.stop = brake.stop()});
  brake.raise_flag();
  EXPECT_EQ(stuck.task.turn(everything).what, What::over);
  EXPECT_EQ(finished(stuck.task).outcome, Outcome::interrupted);
}

TEST(Task, ThatIsNotOverIsInterruptedByItsFinish) {
  Stuck stuck;
  const Bytes done = stuck.task.done();
  const Report report = finished(stuck.task);
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_EQ(report.bytes, done);
  ASSERT_EQ(report.legs.size(), 1U);
  EXPECT_EQ(report.legs[0].bytes, done);

  const Body body = body_of(stuck.source.ref());
  Task unborn(body, Plain{stuck.pair.near.ref()}, stuck.options);
  EXPECT_EQ(finished(unborn).outcome, Outcome::interrupted);
}

// Written over when all but the last bytes are on their way.
void change(const Descriptor& file) {
  testing::must(::pwrite(file.ref().number(), "changed", 7, 0), "pwrite");
  const std::array<timespec, 2> long_ago{
      {{.tv_sec = 1, .tv_nsec = 0}, {.tv_sec = 1, .tv_nsec = 0}}};
  testing::must(::futimens(file.ref().number(), long_ago.data()), "futimens");
}

TEST(Task, HoldsTheLastBytesBackUntilThePeerHasTheOthers) {
  for (const bool changes : {false, true}) {
    const std::string content = random_bytes(100'000);
    const Descriptor source = file_holding(content);
    const testing::Pair pair = testing::connected_unix(Mode::nonblocking);
    const Body body = body_of(source.ref(), 0);
    const Options options{.fallback_contract = Contract::guarded};
    Task task(body, Plain{pair.near.ref()}, options);
    Need need = task.turn(everything);
    while (need.what == What::turn) need = task.turn(everything);
    ASSERT_EQ(need.what, What::acknowledged);
    EXPECT_EQ(task.turn(everything).what, What::acknowledged) << "nothing was read yet";
    std::string arrived = taken_from(pair.far);
    EXPECT_LT(arrived.size(), content.size());
    if (changes) change(source);
    while (task.turn(everything).what != What::over) {
    }
    arrived += taken_from(pair.far);
    const Report report = finished(task);
    EXPECT_EQ(report.outcome, changes ? Outcome::source_changed : Outcome::complete);
    EXPECT_EQ(arrived.size() < content.size(), changes);
    EXPECT_EQ(report.bytes, arrived.size());
    EXPECT_EQ(report.legs.size(), 1U);
  }
}

TEST(Task, AnEndThatCannotBeAskedIsAnError) {
  const Descriptor good = file_holding("x");
  const Options options;
  const Body bad = body_of(DescriptorRef{});
  Task without_source(bad, Plain{good.ref()}, options);
  EXPECT_EQ(without_source.turn(everything).what, What::over);
  EXPECT_FALSE(without_source.finish());
  const Body body = body_of(good.ref());
  Task without_destination(body, Plain{DescriptorRef{}}, options);
  EXPECT_EQ(without_destination.turn(everything).what, What::over);
  EXPECT_FALSE(without_destination.finish());
}

TEST(Task, AsksNothingThatIsKnown) {
  EXPECT_EQ(testing::run_in_child([] {
              const Descriptor source = file_holding("known");
              const testing::Pair pair = testing::connected_unix(Mode::nonblocking);
              const auto from = probe(source.ref());
              const auto to = probe(pair.near.ref());
              testing::deny_call(SYS_fcntl, EPERM);
              if (!from || !to || probe(source.ref())) return 2;
              const Body body{.pieces = {{Plain{source.ref()}, 0, 2}, {Plain{source.ref()}, 2, 3}}};
              const Options options = only({"sendfile"});
              Task task(body, Plain{pair.near.ref()}, options,
                        {.source = &*from, .destination = &*to});
              const bool over = task.turn(everything).what == What::over;
              return over && taken_from(pair.far) == "known" ? 0 : 1;
            }),
            0);
}

TEST(Task, SleepsOnADiskOnlyForDescriptors) {
  const Descriptor source = file_holding("content");
  const testing::Pair pair = testing::connected_unix(Mode::nonblocking);
  const Body body{.pieces = {{memory_of("head"), {}, {}}, {Plain{source.ref()}, 0, {}}}};
  const Options options;
  Task task(body, Plain{pair.near.ref()}, options);
  EXPECT_FALSE(task.sleeps_on_disk());
  EXPECT_EQ(task.turn(2).what, What::turn);
  EXPECT_FALSE(task.sleeps_on_disk());
  EXPECT_EQ(task.turn(4).what, What::turn);
  EXPECT_TRUE(task.sleeps_on_disk());
}

}  // namespace
}  // namespace headrace
