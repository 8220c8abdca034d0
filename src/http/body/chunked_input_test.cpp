#include "http/body/chunked_input.hpp"

#include <gtest/gtest.h>

#include "http/body/body_fault.hpp"
#include "http/body/body_testing.hpp"

namespace headrace::http {
namespace {

using testing::bytes_of;
using testing::text_of;

constexpr std::string_view message =
    "5\r\nhello\r\n7;name=\"va;lue\"\r\n, world\r\n0\r\nTrailer: dropped\r\n\r\n";
constexpr std::string_view next_message = "GET / HTTP/1.1\r\n";

/// Decodes what is in `input`, appending the content to `content`; false where it is refused.
bool decode_all(ChunkedInput& input, std::string& content) {
  for (;;) {
    if (!input.decode()) return false;
    if (input.content().empty()) return true;
    content += text_of(input.content());
    input.delivered(input.content().size());
  }
}

void fill(ChunkedInput& input, std::string_view text) {
  ASSERT_LE(text.size(), input.room().size());
  std::ranges::copy(bytes_of(text), input.room().begin());
  input.filled(text.size());
}

TEST(ChunkedInput, GivesTheContentAndWhatFollowsWhereverTheMessageIsCut) {
  const std::string whole = std::string(message) + std::string(next_message);
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    const std::string_view first = std::string_view(whole).substr(0, cut);
    ChunkedInput input(bytes_of(first));
    std::string content;
    ASSERT_TRUE(decode_all(input, content)) << cut;
    EXPECT_EQ(input.complete(), cut >= message.size()) << cut;
    std::string surplus = text_of(input.surplus());
    if (!input.complete()) {
      fill(input, std::string_view(whole).substr(cut));
      ASSERT_TRUE(decode_all(input, content)) << cut;
      surplus += text_of(input.surplus());
    } else {
      surplus += std::string_view(whole).substr(cut);
    }
    EXPECT_TRUE(input.complete()) << cut;
    EXPECT_EQ(content, "hello, world") << cut;
    EXPECT_EQ(surplus, next_message) << cut;
    EXPECT_EQ(input.in_hand(), 0U) << cut;
  }
}

TEST(ChunkedInput, CountsWhatIsNotDelivered) {
  ChunkedInput input(bytes_of("5\r\nhello\r\n"));
  ASSERT_TRUE(input.decode());
  EXPECT_EQ(input.in_hand(), 7U) << "the content and the end of the line behind it";
  input.delivered(3);
  EXPECT_EQ(text_of(input.content()), "lo");
  EXPECT_EQ(input.in_hand(), 4U);
  EXPECT_TRUE(input.surplus().empty()) << "the body is not over";
}

TEST(ChunkedInput, TakesJustAsMuchContentAsItMay) {
  std::string content;
  ChunkedInput enough(bytes_of(message), 12);
  EXPECT_TRUE(decode_all(enough, content));
  EXPECT_TRUE(enough.complete());

  ChunkedInput less(bytes_of(message), 11);
  ASSERT_TRUE(less.decode());
  less.delivered(5);
  const auto refused = less.decode();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, BodyFault::too_large);
  EXPECT_FALSE(less.complete());
}

TEST(ChunkedInput, RefusesWhatIsNoChunk) {
  ChunkedInput input(bytes_of("5\r\nhello!\r\n"));
  ASSERT_TRUE(input.decode());
  input.delivered(5);
  const auto refused = input.decode();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code.category(), chunk_category());
}

TEST(ChunkedInput, HoldsAllThatWasReadAheadHoweverSmallItsBuffer) {
  std::string content;
  ChunkedInput input(bytes_of(message), everything, 1);
  EXPECT_TRUE(decode_all(input, content));
  EXPECT_EQ(content, "hello, world");
  EXPECT_TRUE(input.complete());
}

}  // namespace
}  // namespace headrace::http
