#include "methods/send_zerocopy/engine_testing.hpp"

// Bytes, offsets and endings.
namespace headrace {
namespace {

using namespace send_zerocopy_testing;

TEST(SendZerocopyEngine, MovesEveryByteAndLeavesThePosition) {
  const std::string content = random_bytes(1'000'000);
  for (const Mode mode : modes) {
    const Descriptor source = file_holding(content);
    Pair pair = connected_tcp(mode);
    Drain drain(pair.far);
    SendZerocopyEngine engine(job_of(source, pair.near, content.size()));
    const Progress progress = carry_on(engine, pair.near);
    EXPECT_EQ(progress.ending, Ending::finished);
    EXPECT_EQ(progress.moved, content.size());
    EXPECT_EQ(progress.stranded, 0U);
    EXPECT_EQ(offset_of(source), 0U);
    pair.near = Descriptor{};
    EXPECT_EQ(drain.bytes(), content);
  }
}

TEST(SendZerocopyEngine, MovesStreamsToTheirEndAndConsumesThem) {
  const std::string content = random_bytes(50'000);
  for (const Mode mode : modes) {
    auto socket = testing::connected_unix(mode);
    put(socket.far, content);
    socket.far = Descriptor{};
    Pipe pipe = pipe_holding(content, mode);
    pipe.writer = Descriptor{};
    for (const DescriptorRef source : {socket.near.ref(), pipe.reader.ref()}) {
      Pair pair = connected_tcp(mode);
      Drain drain(pair.far);
      SendZerocopyEngine engine(job_between(source, pair.near.ref()));
      const Progress progress = carry_on(engine, pair.near);
      EXPECT_EQ(progress.ending, Ending::finished);
      EXPECT_EQ(progress.moved, content.size());
      pair.near = Descriptor{};
      EXPECT_EQ(drain.bytes(), content);
    }
  }
}

TEST(SendZerocopyEngine, UsesTheBufferThatIsWishedFor) {
  const Descriptor source = file_holding(random_bytes(10'000));
  for (const Bytes wish : {0U, 1'000U, 4'096U, 10'000U}) {
    Pair pair = connected_tcp();
    Drain drain(pair.far);
    const Bytes size = std::max(wish, Bytes{1});
    Job job = job_of(source, pair.near, std::min(10 * size, Bytes{10'000}));
    job.buffer = wish;
    SendZerocopyEngine engine(job);
    const Progress progress = carry_on(engine, pair.near);
    EXPECT_EQ(progress.ending, Ending::finished);
    EXPECT_EQ(progress.calls, 2 * ((*job.bytes + size - 1) / size)) << wish;
  }
}

TEST(SendZerocopyEngine, CountsWhatAFullSocketLeavesInTheBuffer) {
  const std::string content = random_bytes(1'000'000);
  const Pipe source = pipe_holding(content);
  Pair pair = connected_tcp(Mode::nonblocking);
  const std::size_t before = testing::fill(pair.near.ref());
  SendZerocopyEngine engine(job_of(source.reader, pair.near, content.size()));
  const Progress stopped = engine.advance(everything);
  EXPECT_EQ(stopped.ending, Ending::paused);
  EXPECT_EQ(stopped.wait, Wait::destination_writable);
  EXPECT_GT(stopped.stranded, 0U);
  EXPECT_EQ(stopped.moved + stopped.stranded, content.size() - left_in(source.reader));
  Drain drain(pair.far);
  const Progress progress = carry_on(engine, pair.near);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.stranded, 0U);
  pair.near = Descriptor{};
  EXPECT_EQ(drain.bytes().substr(before), content);
}

TEST(SendZerocopyEngine, BytesOfAFileInTheBufferAreNotStranded) {
  const Descriptor source = file_holding("can be read again");
  const Pair full = connected_tcp(Mode::nonblocking);
  testing::fill(full.near.ref());
  const Progress progress = SendZerocopyEngine(job_of(source, full.near, 17)).advance(everything);
  EXPECT_EQ(progress.wait, Wait::destination_writable);
  EXPECT_EQ(progress.stranded, 0U);
}

TEST(SendZerocopyEngine, GoesOnWhereAnAnswerOfTheMiddleStoppedIt) {
  const std::string content = random_bytes(100'000);
  for (const int call : {SYS_read, SYS_sendto}) {
    for (const int number : {EAGAIN, EINTR}) {
      const int status = run_denied({denied(call, number).between(2, 4)}, [&] {
        const Pipe source = pipe_holding(content, Mode::nonblocking);
        Pair pair = connected_tcp();
        Drain drain(pair.far);
        Job job = job_of(source.reader, pair.near, content.size());
        job.buffer = 10'000;
        SendZerocopyEngine engine(job);
        Progress progress;
        do {
          progress = engine.advance(everything);
          const Bytes taken = content.size() - left_in(source.reader);
          if (progress.moved + progress.stranded != taken) return 1;
        } while (progress.ending == Ending::paused);
        pair.near = Descriptor{};
        return progress.ending == Ending::finished && drain.bytes() == content ? 0 : 2;
      });
      if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
      EXPECT_EQ(status, 0) << "call " << call << ", errno " << number;
    }
  }
}

// With sends under way their notifications make poll(2) answer POLLERR: not yet the time to wait
// for the source and watch the destination.
TEST(SendZerocopyEngine, WaitsForASilentSourceOnlyWhenNothingIsUnderWay) {
  const Pipe source = pipe_holding(random_bytes(500'000));
  Pair pair = connected_tcp();
  SendZerocopyEngine engine(job_between(source.reader, pair.near));
  const Progress under_way = engine.advance(everything);
  EXPECT_EQ(under_way.wait, Wait::timer);
  EXPECT_EQ(under_way.moved, 500'000U);
  const Drain drain(pair.far);
  const Progress silent = carry_on(engine, pair.near);
  EXPECT_EQ(silent.ending, Ending::paused);
  EXPECT_EQ(silent.wait, Wait::source_readable);
  EXPECT_TRUE(nothing_queued(pair.near));
}

TEST(SendZerocopyEngine, WaitsForAnEmptySourceEvenABlockingOne) {
  for (const Mode mode : modes) {
    const auto socket = connected_tcp(mode);
    const Pipe pipe = open_pipe(mode);
    const Pair pair = connected_tcp(mode);
    for (const DescriptorRef source : {socket.near.ref(), pipe.reader.ref()}) {
      const Progress progress =
          SendZerocopyEngine(job_between(source, pair.near.ref())).advance(everything);
      EXPECT_EQ(progress.ending, Ending::paused);
      EXPECT_EQ(progress.wait, Wait::source_readable);
    }
  }
}

TEST(SendZerocopyEngine, ABudgetBoundsATurn) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  Pair pair = connected_tcp();
  Drain drain(pair.far);
  SendZerocopyEngine engine(job_of(source, pair.near, 10'000));
  for (const Bytes moved : {4'000U, 8'000U}) {
    const Progress progress = engine.advance(4'000);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
  }
  EXPECT_EQ(carry_on(engine, pair.near).ending, Ending::finished);
  pair.near = Descriptor{};
  EXPECT_EQ(drain.bytes(), content);
}

TEST(SendZerocopyEngine, AStopEndsTheTurnAndSendsWhatWasTaken) {
  const Pipe source = pipe_holding(random_bytes(100'000));
  const Pair pair = connected_tcp();
  std::atomic<bool> stop = false;
  const Tap stopping = [&](std::span<const std::byte>) { stop = true; };
  Job job = job_between(source.reader, pair.near);
  job.buffer = 10'000;
  job.stop = &stop;
  job.tap = &stopping;
  SendZerocopyEngine engine(job);
  for (int turn = 0; turn < 2; ++turn) {
    const Progress progress = engine.advance(everything);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, 10'000U);
    EXPECT_EQ(progress.stranded, 0U);
  }
}

TEST(SendZerocopyEngine, ShowsEveryByteOnceAndInOrder) {
  const std::string content = random_bytes(100'000);
  const Descriptor source = file_holding(content);
  Pair pair = connected_tcp();
  const Drain drain(pair.far);
  std::string seen;
  const Tap tap = [&](std::span<const std::byte> bytes) {
    seen.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  Job job = job_of(source, pair.near, content.size());
  job.buffer = 10'000;
  job.tap = &tap;
  SendZerocopyEngine engine(job);
  EXPECT_EQ(carry_on(engine, pair.near).ending, Ending::finished);
  EXPECT_EQ(seen, content);
}

TEST(SendZerocopyEngine, ASourceThatEndsEarlyIsFinishedWithWhatThereWas) {
  for (const std::string_view content : {"short", ""}) {
    const Descriptor source = file_holding(content);
    Pair pair = connected_tcp();
    const Drain drain(pair.far);
    SendZerocopyEngine engine(job_of(source, pair.near, 50));
    const Progress progress = carry_on(engine, pair.near);
    EXPECT_EQ(progress.ending, Ending::finished);
    EXPECT_EQ(progress.moved, content.size());
  }
}

TEST(SendZerocopyEngine, APeerThatIsGoneIsAFailureWithoutASignal) {
  const Descriptor source = file_holding(random_bytes(1'000));
  for (const std::errc expected : {std::errc::connection_reset, std::errc::broken_pipe}) {
    Pair pair = connected_tcp();
    testing::close_with_reset(std::move(pair.far));
    await(pair.near, 0);
    if (expected == std::errc::broken_pipe) {  // the reset was told to somebody else
      EXPECT_EQ(sys::getsockopt(pair.near.ref(), sys::option::pending_error).value_or(0),
                ECONNRESET);
    }
    SendZerocopyEngine engine(job_of(source, pair.near, 1'000));
    const Progress progress = engine.advance(everything);
    EXPECT_EQ(progress.ending, Ending::failed);
    ASSERT_TRUE(progress.error);
    EXPECT_EQ(progress.error->call, "send");
    EXPECT_EQ(progress.error->code, expected);
  }
}

// What the kernel refuses in the middle is refused when it has done with what it had taken.
TEST(SendZerocopyEngine, ARefusalInTheMiddleWaitsForWhatIsUnderWay) {
  const std::string content = random_bytes(600'000);
  const int status = run_denied({denied(SYS_sendto, EOPNOTSUPP).from(3)}, [&] {
    const Descriptor source = file_holding(content);
    Pair pair = connected_tcp();
    SendZerocopyEngine engine(job_of(source, pair.near, content.size()));
    const Progress waiting = engine.advance(everything);
    if (waiting.wait != Wait::timer || waiting.ending != Ending::paused || waiting.error) return 1;
    const Drain drain(pair.far);
    const Progress progress = carry_on(engine, pair.near);
    const bool told = progress.error && progress.error->code.value() == EOPNOTSUPP;
    return progress.ending == Ending::refused && told && progress.moved == 524'288 ? 0 : 2;
  });
  if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

TEST(SendZerocopyEngine, NoMemoryIsARefusalThatKeepsTheErrno) {
  const int status = run_denied({denied(SYS_mmap, ENOMEM).where(1, 262144)}, [] {
    const Descriptor source = file_holding("x");
    const Pair pair = connected_tcp();
    const Progress progress = SendZerocopyEngine(job_of(source, pair.near, 1)).advance(everything);
    const bool told = progress.reason == no_memory && progress.error;
    return progress.ending == Ending::refused && told && progress.calls == 0 ? 0 : 1;
  });
  if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headrace
