#include "checked/receiver.hpp"

#include <gtest/gtest.h>

#include <array>

#include "checked/session_testing.hpp"

namespace headrace::checked {
namespace {

using headrace::testing::connected_tcp;
using headrace::testing::connected_unix;
using testing::Ended;
using testing::play;
using testing::receive_all;
using testing::trailer_of;

struct Heard {
  Ended receiver;
  std::optional<Answer> answer;
};

/// The receiver under test, and what it answers to such a stream.
Heard receive_from(std::initializer_list<Encoded> frames, std::string_view body,
                   const Encoded& last = {}) {
  auto pair = connected_tcp();
  auto receiver = std::async(std::launch::async, [&] { return receive_all(std::move(pair.near)); });
  const std::string said = play(pair.far, frames, body, last);
  Heard heard{.receiver = receiver.get(), .answer = {}};
  const std::size_t greeting = encode(Greeting{}).size();
  if (said.size() <= greeting) return heard;
  const auto rest = std::as_bytes(std::span(said)).subspan(greeting);
  const auto answer = decode_answer(rest);
  if (const auto* const frame = std::get_if<Answer>(&answer)) heard.answer = *frame;
  return heard;
}

TEST(CheckedReceiver, AnswersOkToARightStream) {
  const Heard heard =
      receive_from({encode(Header{.length = 5, .name = ""})}, "hello", encode(trailer_of("hello")));
  EXPECT_EQ(heard.receiver.outcome(), Outcome::complete);
  EXPECT_EQ(heard.receiver.content, "hello");
  ASSERT_TRUE(heard.answer);
  EXPECT_EQ(heard.answer->verdict, Verdict::ok);
  EXPECT_EQ(heard.answer->digest, trailer_of("hello").digest);
}

TEST(CheckedReceiver, AWrongDigestOrLengthInTheTrailerIsAMismatch) {
  Trailer longer = trailer_of("hello");
  ++longer.length;
  for (const Trailer& trailer : {trailer_of("hullo"), longer}) {
    const Heard heard =
        receive_from({encode(Header{.length = 5, .name = ""})}, "hello", encode(trailer));
    EXPECT_EQ(heard.receiver.outcome(), Outcome::mismatched);
    ASSERT_TRUE(heard.answer);
    EXPECT_EQ(heard.answer->verdict, Verdict::mismatch);
  }
}

TEST(CheckedReceiver, BytesBehindTheTrailerAreAFailure) {
  Encoded last = encode(trailer_of("hello"));
  last.push_back(std::byte{0});
  const Heard heard = receive_from({encode(Header{.length = 5, .name = ""})}, "hello", last);
  EXPECT_EQ(heard.receiver.outcome(), Outcome::failed);
  EXPECT_EQ(heard.receiver.report->error->code, Fault::bytes_after);
  ASSERT_TRUE(heard.answer);
  EXPECT_EQ(heard.answer->verdict, Verdict::failed);
}

TEST(CheckedReceiver, ABodyShorterThanPromisedIsAFailureWithItsCount) {
  for (const Bytes length : {Bytes{6}, Bytes{1} << 63U, everything - 1}) {
    const Heard heard = receive_from({encode(Header{.length = length, .name = ""})}, "hello");
    EXPECT_EQ(heard.receiver.outcome(), Outcome::failed);
    EXPECT_EQ(heard.receiver.report->error->code, Fault::ended_early);
    EXPECT_EQ(heard.receiver.report->bytes, 5U);
    EXPECT_EQ(heard.receiver.report->expected, length);
    ASSERT_TRUE(heard.answer);
    EXPECT_EQ(heard.answer->verdict, Verdict::failed);
    EXPECT_EQ(heard.answer->length, 5U);
  }
}

TEST(CheckedReceiver, AChunkThatEndsInTheMiddleIsAFailure) {
  const Encoded header = encode(Header{.length = {}, .name = ""});
  for (const std::string_view body :
       {std::string_view("\0\0\0\x05hell", 8), std::string_view("\0\0\0\x05hello", 9),
        std::string_view("\0\0", 2), std::string_view()}) {
    const Heard heard = receive_from({header}, body);
    EXPECT_EQ(heard.receiver.outcome(), Outcome::failed);
    ASSERT_TRUE(heard.receiver.report);
    EXPECT_EQ(heard.receiver.report->legs.back().error->code, Fault::ended_early);
  }
}

TEST(CheckedReceiver, ChunksOfAnySizeAreOneBody) {
  const Heard heard = receive_from({encode(Header{.length = {}, .name = ""})},
                                   std::string_view("\0\0\0\x01h\0\0\0\x04"
                                                    "ello\0\0\0\0",
                                                    17),
                                   encode(trailer_of("hello")));
  EXPECT_EQ(heard.receiver.outcome(), Outcome::complete);
  EXPECT_EQ(heard.receiver.content, "hello");
}

TEST(CheckedReceiver, APeerThatDoesNotSpeakItIsTold) {
  for (const std::string_view said : {"", "h", "hello world, this is a raw stream", "\x89HRB"}) {
    const Heard heard = receive_from({}, said);
    ASSERT_TRUE(heard.receiver.error) << said;
    EXPECT_EQ(heard.receiver.error->code, Fault::not_checked) << said;
    EXPECT_FALSE(heard.answer) << said;
  }
}

TEST(CheckedReceiver, LeavesAStrangersBytesUnreadSoThatClosingResets) {
  auto pair = connected_unix();
  headrace::testing::must(::send(pair.far.ref().number(), "raw", 3, 0), "send");
  EXPECT_EQ(receive_all(std::move(pair.near)).error->code, Fault::not_checked);
  std::array<char, 100> greeting{};  // comes first, as it was said first
  headrace::testing::must(::recv(pair.far.ref().number(), greeting.data(), greeting.size(), 0),
                          "recv");
  EXPECT_EQ(::recv(pair.far.ref().number(), greeting.data(), greeting.size(), 0), -1);
  EXPECT_EQ(errno, ECONNRESET);
}

}  // namespace
}  // namespace headrace::checked
