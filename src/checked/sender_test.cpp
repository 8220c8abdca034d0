#include "checked/sender.hpp"

#include <gtest/gtest.h>

#include "checked/session_testing.hpp"

namespace headrace::checked {
namespace {

using headrace::testing::connected_tcp;
using headrace::testing::file_holding;
using headrace::testing::Mode;
using headrace::testing::random_bytes;
using testing::Ended;
using testing::play;
using testing::receive_all;
using testing::send_all;
using testing::trailer_of;

/// The sender under test against a receiver that says this and ends.
Ended send_to(std::initializer_list<Encoded> frames, std::string_view body = "hello",
              const Options& options = testing::patient()) {
  auto pair = connected_tcp();
  const Descriptor file = file_holding(body);
  auto sender = std::async(std::launch::async, [&] {
    return send_all(std::move(pair.near), file.ref(), body.size(), options);
  });
  play(pair.far, frames);
  return sender.get();
}

Answer answer_to(std::string_view body, Verdict verdict = Verdict::ok) {
  return {.verdict = verdict,
          .error_number = 0,
          .length = body.size(),
          .digest = trailer_of(body).digest,
          .text = {}};
}

TEST(CheckedSender, BelievesAnAnswerThatNamesItsOwnDigest) {
  EXPECT_EQ(send_to({encode(Greeting{}), encode(answer_to("hello"))}).outcome(), Outcome::complete);
  EXPECT_EQ(send_to({encode(Greeting{}), encode(answer_to("hullo"))}).outcome(),
            Outcome::mismatched);
}

TEST(CheckedSender, TellsWhyTheReceiverFailed) {
  Answer answer = answer_to("he", Verdict::failed);
  answer.error_number = ENOSPC;
  answer.text = "write: full";
  const Ended end = send_to({encode(Greeting{}), encode(answer)});
  EXPECT_EQ(end.outcome(), Outcome::failed);
  EXPECT_EQ(end.report->error->code, std::errc::no_space_on_device);
  EXPECT_EQ(end.report->error->call, "receiver");
  EXPECT_EQ(end.answer(), "failed");
}

TEST(CheckedSender, AnEndWithoutAnAnswerIsAFailure) {
  const Ended end = send_to({encode(Greeting{})});
  EXPECT_EQ(end.outcome(), Outcome::failed);
  EXPECT_EQ(end.report->error->code, Fault::ended_early);
  EXPECT_EQ(end.answer(), "");
}

TEST(CheckedSender, ASecondAnswerPutsTheFirstInDoubt) {
  const Encoded answer = encode(answer_to("hello"));
  const Ended end = send_to({encode(Greeting{}), answer, answer});
  EXPECT_EQ(end.outcome(), Outcome::failed);
  EXPECT_EQ(end.report->error->code, Fault::bytes_after);
}

TEST(CheckedSender, SendsNothingToAPeerThatDoesNotGreet) {
  Encoded raw(100, std::byte{'x'});
  for (const auto& frames : {std::vector<Encoded>{}, std::vector<Encoded>{raw},
                             std::vector<Encoded>{encode(Header{.length = 1, .name = "a"})}}) {
    auto pair = connected_tcp();
    const Descriptor file = file_holding("hello");
    auto sender = std::async(std::launch::async,
                             [&] { return send_all(std::move(pair.near), file.ref(), 5); });
    const std::string heard =
        frames.empty() ? play(pair.far, {}) : play(pair.far, {frames.front()});
    const Ended end = sender.get();
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->code, Fault::not_checked);
    EXPECT_EQ(heard, "");
  }
}

TEST(CheckedSender, DoesNotWaitForeverForAGreeting) {
  auto pair = connected_tcp();
  const Descriptor file = file_holding("hello");
  Options options = testing::patient();
  options.idle_timeout = std::chrono::milliseconds{30};
  const Ended end = send_all(std::move(pair.near), file.ref(), 5, options);
  ASSERT_TRUE(end.error);
  EXPECT_EQ(end.error->code, Fault::not_checked);
}

TEST(CheckedSender, SilenceInsteadOfAnAnswerIsATimeOut) {
  auto pair = connected_tcp();
  const Descriptor file = file_holding("hello");
  const Encoded greeting = encode(Greeting{});
  headrace::testing::must(::send(pair.far.ref().number(), greeting.data(), greeting.size(), 0),
                          "send");
  Options options = testing::patient();
  options.idle_timeout = std::chrono::milliseconds{100};
  const Ended end = send_all(std::move(pair.near), file.ref(), 5, options);
  EXPECT_EQ(end.outcome(), Outcome::failed);
  EXPECT_EQ(end.report->error->code, std::errc::timed_out);
  EXPECT_EQ(end.report->bytes, 5U);
  EXPECT_EQ(end.report->acknowledged, 5U);
}

TEST(CheckedSender, AWriteBetweenTheTwoReadsIsAMismatch) {
  const std::string content = random_bytes(4'000'000);
  const Descriptor file = file_holding(content);
  auto pair = connected_tcp(Mode::nonblocking);
  std::atomic<bool> arrived = false;
  auto receiver = std::async(std::launch::async, [&] {
    return receive_all(std::move(pair.far), true, testing::patient(), [&](Bytes) {
      arrived = true;
      arrived.notify_one();
    });
  });
  // The receiver has the first byte; only then it becomes another one, and only then it is hashed.
  const auto overwrite = [&](Bytes) {
    arrived.wait(false);
    const std::string other{static_cast<char>(~content.front())};
    headrace::testing::must(::pwrite(file.ref().number(), other.data(), 1, 0), "pwrite");
  };
  const Ended sent = testing::ended(send(
      {.body = observed(body_of(file.ref()), overwrite), .length = content.size(), .name = "a"},
      pair.near.ref(), testing::patient()));
  EXPECT_EQ(sent.outcome(), Outcome::mismatched);
  EXPECT_EQ(receiver.get().outcome(), Outcome::mismatched);
  ASSERT_TRUE(sent.report && !sent.report->notes.empty());
  EXPECT_EQ(sent.report->notes.back(), "the source was written to meanwhile");
}

}  // namespace
}  // namespace headrace::checked
