#include "methods/send_zerocopy/engine.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "methods/send_zerocopy/error_queue.hpp"
#include "methods/send_zerocopy/reasons.hpp"
#include "methods/support/reasons.hpp"
#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/limits.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::connected_tcp;
using testing::denied;
using testing::Drain;
using testing::file_holding;
using testing::job_between;
using testing::job_of;
using testing::Mode;
using testing::offset_of;
using testing::open_pipe;
using testing::Pair;
using testing::Pipe;
using testing::random_bytes;
using testing::run_denied;

constexpr std::initializer_list<Mode> modes{Mode::blocking, Mode::nonblocking};
constexpr int roomy = 1 << 20;
// More than any socket here takes while nobody reads.
constexpr std::size_t too_much = 16 << 20;

void put(const Descriptor& destination, std::string_view bytes) {
  const auto written = ::write(destination.ref().number(), bytes.data(), bytes.size());
  ASSERT_EQ(written, static_cast<ssize_t>(bytes.size()));
}

Pipe pipe_holding(std::string_view bytes, Mode mode = Mode::blocking) {
  Pipe pipe = open_pipe(mode, roomy);
  put(pipe.writer, bytes);
  return pipe;
}

Bytes left_in(const Descriptor& pipe) {
  int bytes = 0;
  testing::must(::ioctl(pipe.ref().number(), FIONREAD, &bytes), "FIONREAD");
  return static_cast<Bytes>(bytes);
}

// A completion (POLLERR) or room to send.
void await(const Descriptor& socket, short event) {
  pollfd one{.fd = socket.ref().number(), .events = event, .revents = 0};
  testing::must(::poll(&one, 1, 10'000) - 1, "poll");
}

// Turn by turn until it is over, or waits for its source.
Progress carry_on(Engine& engine, const Descriptor& socket) {
  for (;;) {
    const Progress progress = engine.advance(everything);
    if (progress.ending != Ending::paused || progress.wait == Wait::source_readable) {
      return progress;
    }
    if (progress.wait == Wait::timer) await(socket, 0);
    if (progress.wait == Wait::destination_writable) await(socket, POLLOUT);
  }
}

int zerocopy_of(const Descriptor& socket) {
  return sys::getsockopt(socket.ref(), sys::option::zerocopy).value_or(-1);
}

bool nothing_queued(const Descriptor& socket) {
  const auto notice = sys::recvmsg_error_queue(socket.ref());
  return !notice && notice.error().code == std::errc::resource_unavailable_try_again;
}

bool skipped(int status) { return status == testing::cannot_deny; }

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

// Small buffers, so that all of them wait for completions while the peer reads nothing: were one
// read into again too early, the bytes that TCP sends later would change.
TEST(SendZerocopyEngine, ReadsIntoNoBufferBeforeTheKernelHasDoneWithIt) {
  const std::string content = random_bytes(too_much);
  for (const Bytes buffer : {Bytes{4096}, 64 * kibibyte, mebibyte}) {
    const Descriptor source = file_holding(content);
    Pair pair = connected_tcp(Mode::nonblocking);
    Job job = job_of(source, pair.near, content.size());
    job.buffer = buffer;
    SendZerocopyEngine engine(job);
    const Progress stopped = engine.advance(everything);
    EXPECT_EQ(stopped.ending, Ending::paused);
    EXPECT_NE(stopped.wait, Wait::nothing);
    EXPECT_LT(stopped.moved, content.size());
    Drain drain(pair.far);
    EXPECT_EQ(carry_on(engine, pair.near).ending, Ending::finished);
    pair.near = Descriptor{};
    EXPECT_TRUE(drain.bytes() == content) << "buffers of " << buffer;
  }
}

TEST(SendZerocopyEngine, IsNotOverBeforeTheKernelHasDoneWithAllPages) {
  const std::string content = random_bytes(1'000'000);
  const Descriptor source = file_holding(content);
  Pair pair = connected_tcp();
  SendZerocopyEngine engine(job_of(source, pair.near, content.size()));
  for (int turn = 0; turn < 3; ++turn) {
    const Progress progress = engine.advance(everything);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::timer);
    EXPECT_EQ(progress.moved, content.size());
  }
  Drain drain(pair.far);
  EXPECT_EQ(carry_on(engine, pair.near).ending, Ending::finished);
  EXPECT_TRUE(nothing_queued(pair.near));
  EXPECT_EQ(sys::getsockopt(pair.near.ref(), sys::option::pending_error).value_or(-1), 0);
}

TEST(SendZerocopyEngine, PutsTheSocketsOptionBack) {
  const Descriptor source = file_holding("x");
  Pair pair = connected_tcp();
  {
    SendZerocopyEngine engine(job_of(source, pair.near, 1));
    EXPECT_EQ(zerocopy_of(pair.near), 0) << "nothing is done before the first turn";
    EXPECT_EQ(carry_on(engine, pair.near).ending, Ending::finished);
    EXPECT_EQ(zerocopy_of(pair.near), 1);
  }
  EXPECT_EQ(zerocopy_of(pair.near), 0);
}

TEST(SendZerocopyEngine, OneSocketServesOneEngineAfterTheOther) {
  const std::string content = random_bytes(300'000);
  Pair pair = connected_tcp();
  Drain drain(pair.far);
  for (int piece = 0; piece < 3; ++piece) {
    const Descriptor source = file_holding(content);
    SendZerocopyEngine engine(job_of(source, pair.near, content.size()));
    EXPECT_EQ(carry_on(engine, pair.near).ending, Ending::finished) << piece;
  }
  pair.near = Descriptor{};
  EXPECT_EQ(drain.bytes(), content + content + content);
}

// What is under way when an engine goes is delivered as it was, though its memory is given back;
// and the option stays, so that nobody takes those notifications for his own.
TEST(SendZerocopyEngine, PagesUnderWaySurviveTheEngine) {
  const std::string content = random_bytes(1'000'000);
  const Descriptor source = file_holding(content);
  Pair pair = connected_tcp();
  {
    SendZerocopyEngine engine(job_of(source, pair.near, content.size()));
    EXPECT_EQ(engine.advance(everything).moved, content.size());
    EXPECT_FALSE(engine.notes().empty());
  }
  const std::vector<std::string> others(8, std::string(1'000'000, '!'));
  EXPECT_EQ(zerocopy_of(pair.near), 1);
  const Progress next = SendZerocopyEngine(job_of(source, pair.near, 1)).advance(everything);
  EXPECT_EQ(next.ending, Ending::refused);
  EXPECT_EQ(next.reason, zerocopy_in_use);
  Drain drain(pair.far);
  pair.near = Descriptor{};
  EXPECT_EQ(drain.bytes(), content);
}

TEST(SendZerocopyEngine, ASocketThatDoesNotTakeTheOptionIsRefused) {
  const Descriptor source = file_holding("x");
  const Pair pair = testing::connected_unix();
  const Progress progress = SendZerocopyEngine(job_of(source, pair.near, 1)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::refused);
  EXPECT_EQ(progress.reason, no_zerocopy);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->call, "setsockopt(SO_ZEROCOPY)");
  EXPECT_EQ(progress.error->code, std::errc::operation_not_supported);
}

TEST(SendZerocopyEngine, WhereNobodyTellsOfCompletionsItIsRefused) {
  const int status = run_denied({denied(SYS_recvmsg, EPERM)}, [] {
    const Descriptor source = file_holding("x");
    const Pair pair = connected_tcp();
    const Progress progress = SendZerocopyEngine(job_of(source, pair.near, 1)).advance(everything);
    const bool told = progress.reason == no_zerocopy && progress.error &&
                      progress.error->call == "recvmsg" && progress.moved == 0;
    return progress.ending == Ending::refused && told && zerocopy_of(pair.near) == 0 ? 0 : 1;
  });
  if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

TEST(SendZerocopyEngine, ToldOfNoCompletionsAnyMoreItFails) {
  const int status = run_denied({denied(SYS_recvmsg, EPERM).from(2)}, [] {
    const Descriptor source = file_holding("x");
    const Pair pair = connected_tcp();
    const Progress progress = SendZerocopyEngine(job_of(source, pair.near, 1)).advance(everything);
    return progress.ending == Ending::failed && progress.error->call == "recvmsg" ? 0 : 1;
  });
  if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

// The loopback device gives no page to a reader that it has not copied.
TEST(SendZerocopyEngine, SaysThatTheKernelCopiedAfterAll) {
  const Descriptor source = file_holding(random_bytes(10'000));
  Pair pair = connected_tcp();
  const Drain drain(pair.far);
  Job job = job_of(source, pair.near, 10'000);
  job.buffer = 1'000;
  SendZerocopyEngine engine(job);
  EXPECT_EQ(engine.copies_per_byte(), std::nullopt) << "nobody has said yet";
  EXPECT_TRUE(engine.notes().empty());
  EXPECT_EQ(carry_on(engine, pair.near).ending, Ending::finished);
  EXPECT_EQ(engine.copies_per_byte(), 2U);
  EXPECT_EQ(engine.notes(),
            std::vector<std::string>{"10 of 10 sends completed as COPIED (10000 bytes): the kernel "
                                     "copied them after all"});
}

// Bytes that the peer's reset swept out of the send buffer were copied by nobody.
TEST(SendZerocopyEngine, SaysThatNothingWasCopied) {
  const Descriptor source = file_holding(random_bytes(1'000));
  Pair pair = connected_tcp(Mode::nonblocking);
  // Given a size of its own first: else it may have grown past the largest that can be asked for.
  ASSERT_TRUE(sys::setsockopt(pair.near.ref(), sys::option::send_buffer, 128 << 10));
  testing::fill(pair.near.ref());
  ASSERT_TRUE(sys::setsockopt(pair.near.ref(), sys::option::send_buffer, 64 << 20));
  SendZerocopyEngine engine(job_of(source, pair.near, 1'000));
  EXPECT_EQ(engine.advance(everything).wait, Wait::timer);
  EXPECT_EQ(engine.notes(), std::vector<std::string>{"1 sends are not completed"});
  testing::close_with_reset(std::move(pair.far));
  EXPECT_EQ(carry_on(engine, pair.near).ending, Ending::finished);
  EXPECT_EQ(engine.notes(), std::vector<std::string>{"1 sends completed without a copy"});
  EXPECT_EQ(engine.copies_per_byte(), 1U);
}

TEST(SendZerocopyEngine, WaitsForCompletionsWhereTheKernelHasNoMemoryForMore) {
  const std::string content = random_bytes(200'000);
  const int status = run_denied({denied(SYS_sendto, ENOBUFS).between(4, 5)}, [&] {
    const Descriptor source = file_holding(content);
    Pair pair = connected_tcp();
    put(pair.far, "a reply, which is nobody's business");
    Job job = job_of(source, pair.near, content.size());
    job.buffer = 50'000;
    SendZerocopyEngine engine(job);
    const Progress waiting = engine.advance(everything);
    if (waiting.ending != Ending::paused || waiting.wait != Wait::timer) return 1;
    if (waiting.moved != 150'000 || waiting.stranded != 0) return 2;
    Drain drain(pair.far);
    if (carry_on(engine, pair.near).ending != Ending::finished) return 3;
    pair.near = Descriptor{};
    return drain.bytes() == content ? 0 : 4;
  });
  if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

// No page may be locked: no completion will ever change that.
TEST(SendZerocopyEngine, SendsWithoutWhereTheLimitIsSmallerThanOnePiece) {
  const std::string content = random_bytes(200'000);
  const int status = testing::run_in_child([&] {
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    if (::setrlimit(RLIMIT_MEMLOCK, &none) != 0) return 1;
    const Descriptor source = file_holding(content);  // where only root may
    testing::become_nobody();
    Pair pair = connected_tcp();
    Drain drain(pair.far);
    SendZerocopyEngine engine(job_of(source, pair.near, content.size()));
    if (carry_on(engine, pair.near).ending != Ending::finished) return 2;
    if (engine.copies_per_byte() != 2U || engine.notes().size() != 1) return 3;
    if (!engine.notes().front().starts_with("1 sends (200000 bytes) without MSG_ZEROCOPY"))
      return 4;
    pair.near = Descriptor{};
    return drain.bytes() == content ? 0 : 5;
  });
  EXPECT_EQ(status, 0);
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
