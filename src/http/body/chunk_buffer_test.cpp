#include "http/body/chunk_buffer.hpp"

#include <gtest/gtest.h>

#include "http/body/body_testing.hpp"

namespace headrace::http {
namespace {

using testing::bytes_of;
using testing::text_of;

void put(ChunkBuffer& buffer, std::string_view content) {
  std::ranges::copy(bytes_of(content), buffer.room().begin());
  buffer.put_chunk(content.size());
}

TEST(ChunkBuffer, SaysWhatWasSentWhereverItIsCut) {
  const std::string whole = "HEAD4\r\ndata\r\n";
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {
    ChunkBuffer buffer(bytes_of("HEAD"), 10);
    put(buffer, "data");
    ASSERT_EQ(text_of(buffer.unsent()), whole);
    EXPECT_EQ(buffer.unsent_content(), 4U);
    const auto first = buffer.sent(cut);
    EXPECT_EQ(text_of(buffer.unsent()), whole.substr(cut)) << cut;
    const auto second = buffer.sent(whole.size() - cut);
    EXPECT_EQ(first.head, std::min<std::size_t>(cut, 4)) << cut;
    EXPECT_EQ(first.head + second.head, 4U) << cut;
    EXPECT_EQ(text_of(first.content), whole.substr(0, cut).size() > 7
                                          ? whole.substr(7, std::min<std::size_t>(cut - 7, 4))
                                          : "")
        << cut;
    EXPECT_EQ(text_of(first.content) + text_of(second.content), "data") << cut;
    EXPECT_TRUE(buffer.empty());
    EXPECT_EQ(buffer.unsent_content(), 0U);
  }
}

TEST(ChunkBuffer, SendsTheHeadOnce) {
  ChunkBuffer buffer(bytes_of("HEAD"), 10);
  buffer.put_head();
  EXPECT_EQ(text_of(buffer.unsent()), "HEAD");
  EXPECT_EQ(buffer.sent(4).head, 4U);
  buffer.put_head();
  EXPECT_TRUE(buffer.empty());
  put(buffer, "0123456789");
  EXPECT_EQ(text_of(buffer.unsent()), "a\r\n0123456789\r\n");
  const auto sent = buffer.sent(15);
  EXPECT_EQ(sent.head, 0U);
  EXPECT_EQ(text_of(sent.content), "0123456789");
}

TEST(ChunkBuffer, AnEmptyBodyIsTheHeadAndTheLastChunk) {
  ChunkBuffer buffer(bytes_of("HEAD"), 1);
  buffer.put_last_chunk();
  EXPECT_EQ(text_of(buffer.unsent()), "HEAD0\r\n\r\n");
  EXPECT_EQ(buffer.unsent_content(), 0U);
  const auto sent = buffer.sent(9);
  EXPECT_EQ(sent.head, 4U);
  EXPECT_TRUE(sent.content.empty());
}

}  // namespace
}  // namespace headrace::http
