#include <sys/socket.h>

#include "transfer/transfer_testing.hpp"

namespace headrace {
namespace {

using testing::connected_tcp;
using testing::Drain;
using testing::file_holding;
using testing::Mode;
using testing::random_bytes;
using transfer_testing::body_of_file;
using transfer_testing::move;
using transfer_testing::waiting_in;

const Options ended_by_replies{.idle_timeout = std::chrono::hours{1}, .replies = Replies::end_it};

void say(const Descriptor& end, std::string_view text) {
  testing::must(::send(end.ref().number(), text.data(), text.size(), 0), "send");
}

TEST(TransferReplies, ThatComeBeforeTheEndEndIt) {
  const Descriptor source = file_holding(random_bytes(8'000'000));
  const testing::Pair pair = connected_tcp(Mode::nonblocking);
  say(pair.far, "no, thank you");
  const Report report = move(body_of_file(source), pair.near, ended_by_replies);
  EXPECT_EQ(report.outcome, Outcome::answered_early);
  EXPECT_EQ(report.legs.back().ending, Ending::paused);
  EXPECT_EQ(report.bytes, testing::offset_of(source));
  EXPECT_LT(report.bytes, 8'000'000U);
  EXPECT_EQ(waiting_in(pair.near), 13U) << "the answer is there to be read";
}

TEST(TransferReplies, EndItWhileTheSourceIsSilent) {
  const auto silent = testing::open_pipe();
  const testing::Pair pair = connected_tcp(Mode::nonblocking);
  const std::jthread peer([&] { say(pair.far, "no"); });
  const Report report = move(body_of_file(silent.reader), pair.near, ended_by_replies);
  EXPECT_EQ(report.outcome, Outcome::answered_early);
  EXPECT_EQ(report.bytes, 0U);
}

// Nothing is waited for: every turn finds room.
TEST(TransferReplies, EndItBetweenTwoTurns) {
  const Descriptor source = file_holding(random_bytes(100'000));
  const testing::Pair pair = connected_tcp(Mode::nonblocking);
  const Drain peer(pair.far);
  std::size_t turns = 0;
  const Body body = observed(paced(body_of_file(source), 20'000), [&](Bytes) {
    if (++turns == 1) say(pair.far, "no");
  });
  const Report report = move(body, pair.near, ended_by_replies);
  EXPECT_EQ(report.outcome, Outcome::answered_early);
  EXPECT_LT(report.bytes, 100'000U);
}

// The answer of a peer that then closes without having read everything: a reset follows it.
TEST(TransferReplies, AreHeardAlthoughAResetFollows) {
  const Descriptor source = file_holding(random_bytes(8'000'000));
  testing::Pair pair = connected_tcp(Mode::nonblocking);
  testing::must(::send(pair.near.ref().number(), "unread", 6, 0), "send");
  say(pair.far, "no");
  pair.far = {};
  const Report report = move(body_of_file(source), pair.near, ended_by_replies);
  EXPECT_EQ(report.outcome, Outcome::answered_early);
}

TEST(TransferReplies, APeerThatBreaksOffWithoutOneIsAFailure) {
  const Descriptor source = file_holding(random_bytes(8'000'000));
  testing::Pair pair = connected_tcp(Mode::nonblocking);
  testing::close_with_reset(std::move(pair.far));
  const Report report = move(body_of_file(source), pair.near, ended_by_replies);
  EXPECT_EQ(report.outcome, Outcome::failed);
  EXPECT_TRUE(report.legs.back().error);
}

TEST(TransferReplies, ThePeersEndAloneIsNoReply) {
  const std::string content = random_bytes(8'000'000);
  const Descriptor source = file_holding(content);
  const testing::Pair pair = connected_tcp(Mode::nonblocking);
  testing::must(::shutdown(pair.far.ref().number(), SHUT_WR), "shutdown");
  Drain peer(pair.far);
  const Report report = move(body_of_file(source), pair.near, ended_by_replies);
  EXPECT_EQ(report.outcome, Outcome::complete);
  testing::must(::shutdown(pair.near.ref().number(), SHUT_WR), "shutdown");
  EXPECT_TRUE(peer.bytes() == content);
}

TEST(TransferReplies, AreLeftAloneWhereNobodyAsked) {
  const Descriptor source = file_holding(random_bytes(1'000));
  const testing::Pair pair = connected_tcp(Mode::nonblocking);
  say(pair.far, "so?");
  EXPECT_EQ(move(body_of_file(source), pair.near).outcome, Outcome::complete);
  EXPECT_EQ(waiting_in(pair.near), 3U);
}

}  // namespace
}  // namespace headrace
