#include "checked/session_testing.hpp"

#include <gtest/gtest.h>

namespace headrace::checked {
namespace {

using headrace::testing::connected_tcp;
using headrace::testing::connected_unix;
using headrace::testing::Feed;
using headrace::testing::file_holding;
using headrace::testing::Mode;
using headrace::testing::open_pipe;
using headrace::testing::random_bytes;
using testing::MiddleMan;
using testing::run;
using testing::Session;

// Where the body starts: greeting and header stand before it. The name is "a".
const Bytes header_bytes = encode(Header{.length = 1, .name = "a"}).size();
const Bytes trailer_bytes = encode(Trailer{}).size();

void expect_right(const Session& session, const std::string& content) {
  ASSERT_TRUE(session.sender.report && session.receiver.report);
  const Report& sent = *session.sender.report;
  const Report& received = *session.receiver.report;
  EXPECT_EQ(sent.outcome, Outcome::complete);
  EXPECT_EQ(received.outcome, Outcome::complete);
  EXPECT_TRUE(session.receiver.content == content);
  EXPECT_EQ(sent.bytes, content.size());
  EXPECT_EQ(sent.acknowledged, content.size());
  EXPECT_EQ(received.bytes, content.size());
  EXPECT_EQ(sent.check->answer, "ok");
  EXPECT_EQ(sent.check->digest, received.check->digest);
  EXPECT_EQ(sent.check->peer_digest, sent.check->digest);
  EXPECT_EQ(sent.check->bytes, content.size());
  EXPECT_EQ(received.check->bytes, content.size());
  EXPECT_EQ(received.check->name, "a");
}

TEST(CheckedSession, MovesAFileByTheKernelAndHashesItByASecondRead) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{4097}, std::size_t{9'000'001}}) {
    const std::string content = random_bytes(size);
    const Descriptor file = file_holding(content);
    for (const bool local : {false, true}) {
      auto pair = local ? connected_unix(Mode::nonblocking) : connected_tcp(Mode::nonblocking);
      const Session session =
          run(std::move(pair.near), std::move(pair.far), file.ref(), content.size());
      expect_right(session, content);
      EXPECT_EQ(class_of(*session.sender.report), PathClass::kernel);
      EXPECT_TRUE(session.sender.report->check->reread);
      headrace::testing::must(::lseek(file.ref().number(), 0, SEEK_SET), "lseek");
    }
  }
}

TEST(CheckedSession, MovesAPipeInChunksAndHashesItAsItPasses) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3'000'001}}) {
    const std::string content = random_bytes(size);
    auto pipe = open_pipe();
    const Feed feed{std::move(pipe.writer), content};
    auto pair = connected_tcp();
    const Session session = run(std::move(pair.near), std::move(pair.far), pipe.reader.ref(), {});
    expect_right(session, content);
    EXPECT_FALSE(session.sender.report->check->reread);
  }
}

TEST(CheckedSession, ALengthOfNothingIsALength) {
  const Descriptor file = file_holding("");
  auto pair = connected_tcp();
  expect_right(run(std::move(pair.near), std::move(pair.far), file.ref(), 0), "");
}

TEST(CheckedSession, WhatCannotBeReadAgainIsHashedAsItPasses) {
  const std::string content = random_bytes(1'000'003);
  const Descriptor file = file_holding(content);
  auto pair = connected_tcp();
  const Session session =
      run(std::move(pair.near), std::move(pair.far), file.ref(), content.size(), false);
  expect_right(session, content);
  EXPECT_FALSE(session.receiver.report->check->reread);
  EXPECT_EQ(class_of(*session.receiver.report), PathClass::user);
}

TEST(CheckedSession, LeavesTheFilesPositionBehindTheBytes) {
  const Descriptor file = file_holding("0123456789");
  auto pair = connected_tcp();
  expect_right(run(std::move(pair.near), std::move(pair.far), file.ref(), 10), "0123456789");
  EXPECT_EQ(headrace::testing::offset_of(file), 10U);
}

/// Runs a session in which one byte of the sender's stream is another one.
Session with_changed_byte(const std::string& content, Bytes offset, bool chunks) {
  MiddleMan middle{[offset](Bytes at, std::byte& byte) {
    if (at == offset) byte ^= std::byte{0x40};
  }};
  auto sender = std::move(middle.for_sender.near);
  auto receiver = std::move(middle.for_receiver.near);
  if (!chunks) {
    const Descriptor file = file_holding(content);
    return run(std::move(sender), std::move(receiver), file.ref(), content.size());
  }
  auto pipe = open_pipe();
  const Feed feed{std::move(pipe.writer), content};
  return run(std::move(sender), std::move(receiver), pipe.reader.ref(), {});
}

TEST(CheckedSession, AChangedByteOfTheBodyIsAMismatchOnBothSides) {
  const std::string content = random_bytes(300'000);
  for (const Bytes at : {Bytes{0}, Bytes{150'000}, Bytes{299'999}}) {
    const Session session = with_changed_byte(content, header_bytes + at, false);
    EXPECT_EQ(session.sender.outcome(), Outcome::mismatched);
    EXPECT_EQ(session.sender.answer(), "mismatch");
    EXPECT_EQ(session.receiver.outcome(), Outcome::mismatched);
    EXPECT_NE(session.sender.report->check->digest, session.sender.report->check->peer_digest);
  }
  const Session chunks = with_changed_byte(content, header_bytes + chunk_head_size + 17, true);
  EXPECT_EQ(chunks.sender.outcome(), Outcome::mismatched);
  EXPECT_EQ(chunks.receiver.outcome(), Outcome::mismatched);
}

TEST(CheckedSession, AChangedTrailerIsAMismatchOnBothSides) {
  const std::string content = random_bytes(5000);
  for (Bytes at = 0; at < trailer_bytes; ++at) {
    const Session session = with_changed_byte(content, header_bytes + content.size() + at, false);
    EXPECT_EQ(session.sender.outcome(), Outcome::mismatched) << at;
    EXPECT_EQ(session.receiver.outcome(), Outcome::mismatched) << at;
  }
}

TEST(CheckedSession, AChangedHeaderIsNeverTakenForARightOne) {
  for (Bytes at = 0; at < header_bytes; ++at) {
    const Session session = with_changed_byte("content", at, false);
    EXPECT_NE(session.sender.outcome(), Outcome::complete) << at;
    ASSERT_TRUE(session.receiver.error) << at;
    const bool magic = at < magic_size;
    const bool size = at == magic_size + 1;  // more bytes are waited for than ever come
    const Fault fault = magic ? Fault::not_checked : (size ? Fault::ended_early : Fault::damaged);
    EXPECT_EQ(session.receiver.error->code, fault) << at;
    EXPECT_EQ(session.sender.outcome(), magic || size ? Outcome::failed : Outcome::mismatched)
        << at;
  }
}

TEST(CheckedSession, AChangedAnswerIsNoAnswer) {
  const Descriptor file = file_holding("content");
  const Bytes greeting = encode(Greeting{}).size();
  MiddleMan middle{{}, [greeting](Bytes at, std::byte& byte) {
                     if (at == greeting + 20) byte ^= std::byte{1};
                   }};
  const Session session =
      run(std::move(middle.for_sender.near), std::move(middle.for_receiver.near), file.ref(), 7);
  EXPECT_EQ(session.receiver.outcome(), Outcome::complete);
  EXPECT_EQ(session.sender.outcome(), Outcome::failed);
  EXPECT_EQ(session.sender.report->error->code, Fault::damaged);
}

TEST(CheckedSession, AConnectionCutAnywhereIsAFailureOnBothSides) {
  const std::string content = random_bytes(100'000);
  const Descriptor file = file_holding(content);
  const Bytes all = header_bytes + content.size() + trailer_bytes;
  for (const Bytes cut : {Bytes{1}, header_bytes - 1, header_bytes, header_bytes + 1,
                          header_bytes + 50'000, all - trailer_bytes, all - 1}) {
    headrace::testing::must(::lseek(file.ref().number(), 0, SEEK_SET), "lseek");
    MiddleMan middle{{}, {}, cut};
    const Session session = run(std::move(middle.for_sender.near),
                                std::move(middle.for_receiver.near), file.ref(), content.size());
    EXPECT_EQ(session.sender.outcome(), Outcome::failed) << cut;
    EXPECT_EQ(session.receiver.outcome(), Outcome::failed) << cut;
  }
}

}  // namespace
}  // namespace headrace::checked
