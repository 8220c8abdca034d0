#include "methods/send_zerocopy/send_ledger.hpp"

#include <gtest/gtest.h>

namespace headrace {
namespace {

constexpr std::uint32_t last_number = 0xffffffff;

// So many sends of 10 bytes, each out of a buffer of its own.
SendLedger after_sends(std::size_t count) {
  SendLedger ledger;
  for (std::size_t at = 0; at < count; ++at) ledger.sent(at, 10);
  return ledger;
}

std::vector<std::size_t> held(const SendLedger& ledger, std::size_t buffers) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < buffers; ++at) {
    if (ledger.holds(at)) found.push_back(at);
  }
  return found;
}

using Buffers = std::vector<std::size_t>;

TEST(SendLedger, HoldsABufferUntilItsSendIsDone) {
  SendLedger ledger;
  EXPECT_FALSE(ledger.holds(0));
  ledger.sent(0, 10);
  EXPECT_TRUE(ledger.holds(0));
  EXPECT_FALSE(ledger.holds(1));
  EXPECT_EQ(ledger.outstanding(), 1U);
  ledger.completed(0, 0, false);
  EXPECT_FALSE(ledger.holds(0));
  EXPECT_EQ(ledger.outstanding(), 0U);
}

TEST(SendLedger, HoldsABufferUntilTheLastOfItsSendsIsDone) {
  SendLedger ledger;
  for (int piece = 0; piece < 3; ++piece) ledger.sent(0, 10);
  ledger.completed(0, 2, false);
  for (int piece = 0; piece < 3; ++piece) ledger.sent(0, 10);
  ledger.completed(3, 4, false);
  EXPECT_TRUE(ledger.holds(0));
  ledger.completed(5, 5, false);
  EXPECT_FALSE(ledger.holds(0));
}

TEST(SendLedger, TakesRangesThatTheKernelPutTogether) {
  SendLedger ledger = after_sends(4);
  ledger.completed(0, 3, false);
  EXPECT_EQ(held(ledger, 4), Buffers{});
}

TEST(SendLedger, TakesThemInAnyOrder) {
  SendLedger ledger = after_sends(4);
  ledger.completed(3, 3, false);
  ledger.completed(0, 1, false);
  EXPECT_EQ(held(ledger, 4), Buffers{2});
  for (std::size_t buffer = 4; buffer < 7; ++buffer) ledger.sent(buffer, 10);
  ledger.completed(5, 6, false);
  EXPECT_EQ(held(ledger, 7), (Buffers{2, 4}));
  ledger.completed(4, 4, false);
  ledger.completed(2, 2, false);
  EXPECT_EQ(held(ledger, 7), Buffers{});
  EXPECT_EQ(ledger.outstanding(), 0U);
}

// Where the socket's counter stood before us is not known: the second of three may be the first.
TEST(SendLedger, TrustsNoNumberBeforeTheyAreAllAccountedFor) {
  for (const std::uint32_t base : {0U, 17U, last_number, last_number - 1}) {
    SendLedger ledger = after_sends(3);
    ledger.completed(base + 1, base + 1, false);
    EXPECT_EQ(held(ledger, 3), (Buffers{0, 1, 2})) << base;
    ledger.completed(base + 2, base + 2, false);
    EXPECT_EQ(held(ledger, 3), (Buffers{0, 1, 2})) << base;
    ledger.completed(base, base, false);
    EXPECT_EQ(held(ledger, 3), Buffers{}) << base;
  }
}

TEST(SendLedger, KnowsTheFirstNumberOnceTheOutermostAreTold) {
  for (const std::uint32_t base : {0U, 17U, last_number, last_number - 1}) {
    SendLedger ledger = after_sends(3);
    ledger.completed(base + 2, base + 2, false);
    ledger.completed(base, base, false);
    EXPECT_EQ(held(ledger, 3), Buffers{1}) << base;
    ledger.sent(3, 10);
    ledger.completed(base + 1, base + 1, false);
    EXPECT_EQ(held(ledger, 4), Buffers{3}) << base;
  }
}

TEST(SendLedger, GoesOnWhereTheCounterWraps) {
  SendLedger ledger = after_sends(1);
  ledger.completed(last_number - 1, last_number - 1, false);
  for (std::size_t buffer = 0; buffer < 4; ++buffer) ledger.sent(buffer, 10);
  ledger.completed(last_number, 1, false);
  EXPECT_EQ(held(ledger, 4), Buffers{3});
  ledger.completed(2, 2, false);
  EXPECT_EQ(held(ledger, 4), Buffers{});
}

TEST(SendLedger, IgnoresWhatIsNotOurs) {
  SendLedger ledger;
  ledger.completed(5, 9, true);
  ledger.sent(0, 10);
  ledger.completed(10, 10, false);
  ledger.sent(1, 10);
  ledger.sent(2, 10);
  for (const auto& [first, last] : {std::pair{0U, 10U}, {13U, 20U}, {10U, 10U}}) {
    ledger.completed(first, last, true);
    EXPECT_EQ(held(ledger, 3), (Buffers{1, 2})) << first << " to " << last;
  }
  EXPECT_EQ(ledger.copied().sends, 0U);
}

TEST(SendLedger, CountsNothingTwice) {
  SendLedger ledger = after_sends(1);
  ledger.completed(0, 0, false);
  ledger.sent(0, 10);
  ledger.sent(1, 10);
  ledger.completed(2, 2, false);
  ledger.completed(2, 2, true);
  EXPECT_EQ(ledger.outstanding(), 1U);
  EXPECT_EQ(ledger.uncopied().sends, 2U);
  EXPECT_EQ(ledger.copied().sends, 0U);
}

TEST(SendLedger, SumsUpWhatWasCopiedAfterAll) {
  SendLedger ledger;
  ledger.sent(0, 1);
  ledger.sent(0, 20);
  ledger.sent(1, 300);
  ledger.completed(0, 1, true);
  ledger.completed(2, 2, false);
  EXPECT_EQ(ledger.copied().sends, 2U);
  EXPECT_EQ(ledger.copied().bytes, 21U);
  EXPECT_EQ(ledger.uncopied().sends, 1U);
  EXPECT_EQ(ledger.uncopied().bytes, 300U);
}

}  // namespace
}  // namespace headrace
