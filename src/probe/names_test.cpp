#include <gtest/gtest.h>

#include "headrace/facts.hpp"

namespace headrace {
namespace {

TEST(KindNames, AreTheWordsOfTheReports) {
  EXPECT_EQ(name_of(Kind::regular), "regular-file");
  EXPECT_EQ(name_of(Kind::directory), "directory");
  EXPECT_EQ(name_of(Kind::pipe), "pipe");
  EXPECT_EQ(name_of(Kind::tcp), "tcp");
  EXPECT_EQ(name_of(Kind::unix_stream), "unix-stream");
  EXPECT_EQ(name_of(Kind::socket), "socket");
  EXPECT_EQ(name_of(Kind::terminal), "terminal");
  EXPECT_EQ(name_of(Kind::null_device), "null-device");
  EXPECT_EQ(name_of(Kind::zero_device), "zero-device");
  EXPECT_EQ(name_of(Kind::character_device), "character-device");
  EXPECT_EQ(name_of(Kind::block_device), "block-device");
  EXPECT_EQ(name_of(Kind::other), "other");
}

}  // namespace
}  // namespace headrace
