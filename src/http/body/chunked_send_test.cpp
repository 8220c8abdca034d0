#include "http/body/chunked_send.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "headrace/transfer.hpp"
#include "http/body/body_testing.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/temporary.hpp"

namespace headrace::http {
namespace {

using testing::bytes_of;
using testing::file_holding;
using testing::in_chunks;
using testing::job_between;
using testing::job_of;
using testing::Mode;
using testing::open_pipe;
using testing::Pipe;
using testing::put;
using testing::random_bytes;
using testing::taken_from;
using testing::text_of;

std::unique_ptr<Engine> start(const Job& job) { return chunked_send().start(job); }

TEST(ChunkedSend, AFileGoesInChunksOfTheBufferAndALastOne) {
  const std::string content = random_bytes(1000);
  const Descriptor source = file_holding(content);
  const Pipe pipe = open_pipe(Mode::nonblocking);
  Job job = job_of(source, pipe.writer, 1000);
  job.buffer = 300;
  const Progress progress = start(job)->advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 1000U);
  EXPECT_EQ(progress.calls, 9U) << "four reads, a write for each chunk, and for the last one";
  EXPECT_EQ(taken_from(pipe.reader), in_chunks(content, 300));
  EXPECT_EQ(testing::offset_of(source), 0U);
}

TEST(ChunkedSend, APipeGoesAsItComesUntilItEnds) {
  for (const Mode mode : {Mode::blocking, Mode::nonblocking}) {
    Pipe source = open_pipe(mode);
    const Pipe pipe = open_pipe(Mode::nonblocking);
    const auto engine = start(job_between(source.reader, pipe.writer));
    put(source.writer, "hello");
    const Progress first = engine->advance(everything);
    EXPECT_EQ(first.ending, Ending::paused);
    EXPECT_EQ(first.wait, Wait::source_readable);
    EXPECT_EQ(taken_from(pipe.reader), "5\r\nhello\r\n");
    put(source.writer, ", world");
    source.writer = Descriptor{};
    const Progress last = engine->advance(everything);
    EXPECT_EQ(last.ending, Ending::finished);
    EXPECT_EQ(last.moved, 12U);
    EXPECT_EQ(taken_from(pipe.reader), "7\r\n, world\r\n0\r\n\r\n");
  }
}

TEST(ChunkedSend, TheHeadGoesWithTheFirstChunk) {
  const Descriptor source = file_holding("hello");
  const Pipe pipe = open_pipe(Mode::nonblocking);
  Job job = job_of(source, pipe.writer, 5);
  job.head = bytes_of("HEAD");
  const Progress progress = start(job)->advance(everything);
  EXPECT_EQ(progress.head, 4U);
  EXPECT_EQ(progress.moved, 5U);
  EXPECT_EQ(progress.calls, 3U) << "a read, a write, and the last chunk";
  EXPECT_EQ(taken_from(pipe.reader), "HEAD5\r\nhello\r\n0\r\n\r\n");
}

TEST(ChunkedSend, TheHeadGoesAloneWhereTheSourceIsLate) {
  Pipe source = open_pipe();
  const Pipe pipe = open_pipe(Mode::nonblocking);
  Job job = job_between(source.reader, pipe.writer);
  job.head = bytes_of("HEAD");
  const auto engine = start(job);
  for (int turn = 0; turn < 2; ++turn) {
    const Progress progress = engine->advance(everything);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::source_readable);
    EXPECT_EQ(progress.head, 4U);
  }
  source.writer = Descriptor{};
  EXPECT_EQ(engine->advance(everything).ending, Ending::finished);
  EXPECT_EQ(taken_from(pipe.reader), "HEAD0\r\n\r\n");
}

TEST(ChunkedSend, CountsExactlyWhereverTheDestinationIsFull) {
  const std::string content = random_bytes(100'000);
  Pipe source = open_pipe(Mode::blocking, 1 << 17);
  put(source.writer, content);
  source.writer = Descriptor{};
  const Pipe pipe = open_pipe(Mode::nonblocking, 4096);
  Job job = job_between(source.reader, pipe.writer);
  job.buffer = 60'000;
  const auto engine = start(job);
  std::string arrived;
  bool was_full = false;
  Progress progress;
  do {
    progress = engine->advance(everything);
    was_full = was_full || progress.wait == Wait::destination_writable;
    arrived += taken_from(pipe.reader);
    const std::string all = in_chunks(content, 60'000);
    EXPECT_EQ(all.substr(0, arrived.size()), arrived);
    // Of what arrived, 6 bytes are the size of the first chunk.
    if (arrived.size() < 60'000) {
      EXPECT_EQ(progress.moved, arrived.size() - 6);
      EXPECT_EQ(progress.stranded, 60'000 - progress.moved);
    }
  } while (progress.ending == Ending::paused);
  EXPECT_TRUE(was_full);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, content.size());
  EXPECT_EQ(arrived, in_chunks(content, 60'000));
}

TEST(ChunkedSend, ABudgetBoundsATurn) {
  const std::string content = random_bytes(1000);
  const Descriptor source = file_holding(content);
  const Pipe pipe = open_pipe(Mode::nonblocking);
  const auto engine = start(job_of(source, pipe.writer, 1000));
  for (const Bytes moved : {400U, 800U}) {
    const Progress progress = engine->advance(400);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
  }
  EXPECT_EQ(engine->advance(400).ending, Ending::finished);
  EXPECT_EQ(taken_from(pipe.reader), in_chunks(content, 400));
}

TEST(ChunkedSend, AFileThatIsCutMeanwhileGetsNoLastChunk) {
  const Descriptor source = file_holding("hello, world");
  const Pipe pipe = open_pipe(Mode::nonblocking);
  const Job job = job_of(source, pipe.writer, 12);
  ASSERT_EQ(::ftruncate(source.ref().number(), 5), 0);
  const Progress progress = start(job)->advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 5U);
  EXPECT_EQ(taken_from(pipe.reader), "5\r\nhello\r\n");
}

TEST(ChunkedSend, AShortPipeIsWholeHoweverMuchWasAllowed) {
  Pipe source = open_pipe();
  put(source.writer, "hello");
  source.writer = Descriptor{};
  const Pipe pipe = open_pipe(Mode::nonblocking);
  const Progress progress = start(job_of(source.reader, pipe.writer, 12))->advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(taken_from(pipe.reader), "5\r\nhello\r\n0\r\n\r\n");
}

TEST(ChunkedSend, NoMoreThanTheJobsBytesAreSent) {
  const Pipe source = open_pipe();
  put(source.writer, "hello, world");
  const Pipe pipe = open_pipe(Mode::nonblocking);
  const Progress progress = start(job_of(source.reader, pipe.writer, 5))->advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 5U);
  EXPECT_EQ(taken_from(pipe.reader), "5\r\nhello\r\n0\r\n\r\n");
}

TEST(ChunkedSend, APeerThatWentIsAFailure) {
  const Descriptor source = file_holding("hello");
  auto pair = testing::connected_unix();
  pair.far = Descriptor{};
  const Progress progress = start(job_of(source, pair.near, 5))->advance(everything);
  EXPECT_EQ(progress.ending, Ending::failed);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->code.value(), EPIPE);
  EXPECT_EQ(progress.moved, 0U);
}

TEST(ChunkedSend, ShowsATapWhatArrived) {
  const Descriptor source = file_holding("hello, world");
  const Pipe pipe = open_pipe(Mode::nonblocking);
  std::string seen;
  const Tap tap = [&seen](std::span<const std::byte> bytes) { seen += text_of(bytes); };
  Job job = job_of(source, pipe.writer, 12);
  job.buffer = 5;
  job.tap = &tap;
  start(job)->advance(everything);
  EXPECT_EQ(seen, "hello, world");
}

Body chunked_body(const Descriptor& source) {
  Body body;
  body.pieces.push_back(
      {.source = Plain{source.ref()}, .offset = {}, .length = {}, .only_way = chunked_send()});
  body.opaque = body_in_chunks;
  return body;
}

TEST(ChunkedSend, ATransferCountsTheHeadApart) {
  for (const std::string_view content : {"", "hello"}) {
    Pipe source = open_pipe();
    if (!content.empty()) put(source.writer, content);
    source.writer = Descriptor{};
    const auto pair = testing::connected_unix(Mode::nonblocking);
    const auto report =
        transfer(chunked_body(source.reader), Plain{pair.near.ref()}, {.head = bytes_of("HEAD")});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->outcome, Outcome::complete);
    EXPECT_EQ(report->bytes, content.size());
    EXPECT_EQ(report->head_bytes, 4U);
    EXPECT_EQ(taken_from(pair.far), "HEAD" + in_chunks(content, 5));
  }
}

TEST(ChunkedSend, ATransferThatMustStayInTheKernelSaysWhyItCannot) {
  const Pipe source = open_pipe();
  const auto pair = testing::connected_unix(Mode::nonblocking);
  Options options;
  options.wishes.require = PathClass::kernel;
  options.head = bytes_of("HEAD");
  const auto report = transfer(chunked_body(source.reader), Plain{pair.near.ref()}, options);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, Outcome::refused);
  EXPECT_EQ(taken_from(pair.far), "");
  const auto is_why = [](const Refusal& refusal) { return refusal.reason == body_in_chunks; };
  EXPECT_TRUE(std::ranges::any_of(report->refused, is_why));
}

}  // namespace
}  // namespace headrace::http
