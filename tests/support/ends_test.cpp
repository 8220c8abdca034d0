#include "support/ends.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "support/temporary.hpp"

namespace headrace::testing {
namespace {

bool is_nonblocking(const Descriptor& descriptor) {
  return (::fcntl(descriptor.ref().number(), F_GETFL) & O_NONBLOCK) != 0;
}

TEST(OpenPipe, HasTheModeAndTheCapacityAskedFor) {
  const Pipe pipe = open_pipe(Mode::nonblocking, 4096);
  EXPECT_TRUE(is_nonblocking(pipe.reader));
  EXPECT_EQ(::fcntl(pipe.writer.ref().number(), F_GETPIPE_SZ), 4096);
  EXPECT_EQ(fill(pipe.writer.ref()), 4096U);
  EXPECT_FALSE(is_nonblocking(open_pipe().writer));
}

class Connected : public ::testing::TestWithParam<Pair (*)(Mode)> {};

TEST_P(Connected, CarriesBytesBothWays) {
  const std::string bytes = random_bytes(300000);
  Pair pair = GetParam()(Mode::blocking);
  {
    Drain drain(pair.far);
    EXPECT_EQ(::write(pair.near.ref().number(), "ping", 4), 4);
    const Feed feed(std::move(pair.near), bytes);
    EXPECT_EQ(drain.bytes(), "ping" + bytes);
  }
  pair = GetParam()(Mode::blocking);
  EXPECT_EQ(::write(pair.far.ref().number(), "pong", 4), 4);
  std::array<char, 8> answer{};
  EXPECT_EQ(::read(pair.near.ref().number(), answer.data(), answer.size()), 4);
}

TEST_P(Connected, CanBeNonblocking) {
  const Pair pair = GetParam()(Mode::nonblocking);
  EXPECT_TRUE(is_nonblocking(pair.near));
  EXPECT_TRUE(is_nonblocking(pair.far));
  char byte = 0;
  EXPECT_EQ(::read(pair.near.ref().number(), &byte, 1), -1);
  EXPECT_EQ(errno, EAGAIN);
}

INSTANTIATE_TEST_SUITE_P(Ends, Connected,
                         ::testing::Values(connected_tcp, connected_unix, open_terminal));

TEST(OpenTerminal, IsATerminalThatChangesNoByte) {
  const Pair pair = open_terminal();
  EXPECT_EQ(::isatty(pair.near.ref().number()), 1);
  EXPECT_EQ(::write(pair.far.ref().number(), "\r\x03\x04\n", 4), 4);
  std::array<char, 8> typed{};
  EXPECT_EQ(::read(pair.near.ref().number(), typed.data(), typed.size()), 4);
  EXPECT_EQ(std::string(typed.data(), 4), "\r\x03\x04\n");
}

TEST(CloseWithReset, IsSeenAsAResetByThePeer) {
  Pair pair = connected_tcp();
  close_with_reset(std::move(pair.far));
  char byte = 0;
  EXPECT_EQ(::read(pair.near.ref().number(), &byte, 1), -1);
  EXPECT_EQ(errno, ECONNRESET);
}

TEST(Drain, DoesNotWaitForAnEndWhenDropped) {
  const Pipe pipe = open_pipe();
  const Drain drain(pipe.reader);
}

TEST(Feed, DoesNotWaitForAReaderWhenDropped) {
  Pipe pipe = open_pipe();
  const Feed feed(std::move(pipe.writer), random_bytes(1000000));
}

TEST(Feed, SurvivesAReaderThatWentAway) {
  Pipe pipe = open_pipe();
  pipe.reader = Descriptor{};
  const Feed feed(std::move(pipe.writer), "nobody reads this");
}

}  // namespace
}  // namespace headrace::testing
