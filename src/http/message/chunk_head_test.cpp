#include "http/message/chunk_head.hpp"

#include <gtest/gtest.h>

namespace headrace::http {
namespace {

TEST(ChunkHead, IsTheSizeInHexadecimal) {
  EXPECT_EQ(chunk_head(1), "1\r\n");
  EXPECT_EQ(chunk_head(255), "ff\r\n");
  EXPECT_EQ(chunk_head(mebibyte), "100000\r\n");
  EXPECT_EQ(chunk_head(everything), "ffffffffffffffff\r\n");
}

}  // namespace
}  // namespace headrace::http
