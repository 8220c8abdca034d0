#include "http/body/chunked_receive.hpp"

#include <gtest/gtest.h>

#include "http/body/body_fault.hpp"
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
using testing::Mode;
using testing::open_pipe;
using testing::Pipe;
using testing::put;
using testing::random_bytes;
using testing::read_all;
using testing::text_of;

using Input = std::shared_ptr<ChunkedInput>;

Input input_holding(std::string_view ahead = {}, Bytes most = everything) {
  return std::make_shared<ChunkedInput>(bytes_of(ahead), most);
}

TEST(ChunkedReceive, GivesContentAndSurplusWhereverTheMessageIsCut) {
  const std::string message = in_chunks("hello, world", 5);
  const std::string whole = message + "PUT /next";
  for (const Mode mode : {Mode::blocking, Mode::nonblocking}) {
    for (std::size_t cut = 0; cut <= message.size(); ++cut) {
      const Pipe pipe = open_pipe(mode);
      const Descriptor destination = file_holding("");
      const Input input = input_holding(whole.substr(0, cut));
      const auto engine = chunked_receive(input).start(job_between(pipe.reader, destination));
      const Progress first = engine->advance(everything);
      if (cut < message.size()) {
        EXPECT_EQ(first.ending, Ending::paused) << cut;
        EXPECT_EQ(first.wait, Wait::source_readable) << cut;
        put(pipe.writer, whole.substr(cut));
      }
      const Progress last = engine->advance(everything);
      EXPECT_EQ(last.ending, Ending::finished) << cut;
      EXPECT_EQ(last.moved, 12U) << cut;
      EXPECT_EQ(last.stranded, 0U) << cut;
      EXPECT_EQ(read_all(destination), "hello, world") << cut;
      if (cut < message.size()) {
        EXPECT_EQ(text_of(input->surplus()), "PUT /next") << cut;
      }
    }
  }
}

TEST(ChunkedReceive, ASourceThatEndsAnywhereInTheBodyHasFailed) {
  const std::string message = in_chunks("hello, world", 5);
  for (std::size_t cut = 0; cut < message.size(); ++cut) {
    Pipe pipe = open_pipe();
    if (cut > 0) put(pipe.writer, message.substr(0, cut));
    pipe.writer = Descriptor{};
    const Descriptor destination = file_holding("");
    const Input input = input_holding();
    const Progress progress =
        chunked_receive(input).start(job_between(pipe.reader, destination))->advance(everything);
    EXPECT_EQ(progress.ending, Ending::failed) << cut;
    ASSERT_TRUE(progress.error) << cut;
    EXPECT_EQ(progress.error->code, BodyFault::ended_early) << cut;
    EXPECT_EQ(progress.moved, read_all(destination).size()) << cut;
    EXPECT_TRUE(input->surplus().empty()) << cut;
  }
}

TEST(ChunkedReceive, ABudgetBoundsATurnWhateverTheChunks) {
  const std::string content = random_bytes(1000);
  const Pipe pipe = open_pipe();
  put(pipe.writer, in_chunks(content, 300));
  const Descriptor destination = file_holding("");
  const auto engine = chunked_receive(input_holding()).start(job_between(pipe.reader, destination));
  for (const Bytes moved : {250U, 500U, 750U}) {
    const Progress progress = engine->advance(250);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
    EXPECT_GT(progress.stranded, 0U);
  }
  EXPECT_EQ(engine->advance(251).ending, Ending::finished);
  EXPECT_EQ(read_all(destination), content);
}

TEST(ChunkedReceive, AFullDestinationIsWaitedForAndLosesNothing) {
  const std::string content = random_bytes(200'000);
  const auto pair = testing::connected_unix();
  const testing::Feed feed(Descriptor{::dup(pair.far.ref().number())}, in_chunks(content, 70'000));
  const Pipe pipe = open_pipe(Mode::nonblocking, 4096);
  const Input input = input_holding();
  const auto engine = chunked_receive(input).start(job_between(pair.near, pipe.writer));
  std::string arrived;
  Progress progress;
  bool was_full = false;
  do {
    progress = engine->advance(everything);
    was_full = was_full || progress.wait == Wait::destination_writable;
    arrived += testing::taken_from(pipe.reader);
  } while (progress.ending == Ending::paused);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_TRUE(was_full);
  EXPECT_EQ(arrived, content);
}

TEST(ChunkedReceive, MoreThanWhatIsTakenHasFailed) {
  const Pipe pipe = open_pipe();
  put(pipe.writer, in_chunks("hello, world", 5));
  const Descriptor destination = file_holding("");
  const Progress progress = chunked_receive(input_holding({}, 11))
                                .start(job_between(pipe.reader, destination))
                                ->advance(everything);
  EXPECT_EQ(progress.ending, Ending::failed);
  ASSERT_TRUE(progress.error);
  EXPECT_EQ(progress.error->code, BodyFault::too_large);
  EXPECT_EQ(progress.moved, 10U);
}

TEST(ChunkedReceive, ShowsATapTheContentAlone) {
  const Pipe pipe = open_pipe();
  put(pipe.writer, in_chunks("hello, world", 5));
  const Descriptor destination = file_holding("");
  std::string seen;
  const Tap tap = [&seen](std::span<const std::byte> bytes) { seen += text_of(bytes); };
  Job job = job_between(pipe.reader, destination);
  job.tap = &tap;
  chunked_receive(input_holding()).start(job)->advance(everything);
  EXPECT_EQ(seen, "hello, world");
}

TEST(ChunkedReceive, AnotherEngineGoesOnWhereTheFirstStood) {
  const Pipe pipe = open_pipe();
  const Descriptor destination = file_holding("");
  const Input input = input_holding();
  const Way way = chunked_receive(input);
  put(pipe.writer, "5\r\nhel");
  way.start(job_between(pipe.reader, destination))->advance(everything);
  put(pipe.writer, "lo\r\n0\r\n\r\n");
  EXPECT_EQ(way.start(job_between(pipe.reader, destination))->advance(everything).ending,
            Ending::finished);
  EXPECT_EQ(read_all(destination), "hello");
}

}  // namespace
}  // namespace headrace::http
