#include "methods/send_zerocopy/engine_testing.hpp"

// What becomes of pages under way: reuse, evidence, limits, and whose option it is.
namespace headrace {
namespace {

using namespace send_zerocopy_testing;

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

}  // namespace
}  // namespace headrace
