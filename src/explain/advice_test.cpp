#include <gtest/gtest.h>

#include "explain/example_report_testing.hpp"
#include "headrace/explain.hpp"

namespace headrace {
namespace {

std::string about(std::string_view call, int number, const Facts& source = {},
                  const Facts& destination = {}) {
  return advice(example::error(call, number), source, destination);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Advice, KnowsWhatUsersRunInto) {
  for (const int number :
       {ENOSPC, EDQUOT, EFBIG, EACCES, EPERM, EROFS, ENOENT, EISDIR, EPIPE, ECONNRESET,
        ECONNREFUSED, ETIMEDOUT, EADDRINUSE, EMFILE, ENFILE, EIO, ETXTBSY, ENXIO}) {
    EXPECT_NE(about("call", number), "") << number;
  }
}

TEST(Advice, IsEmptyWhereNothingIsKnown) {
  EXPECT_EQ(about("call", EILSEQ), "");
  EXPECT_EQ(about("call", 0), "");
  const Error other{{ENOSPC, std::iostream_category()}, "call"};
  EXPECT_EQ(advice(other, {}, {}), "");
}

TEST(Advice, IsOneShortClause) {
  for (int number = 1; number < 140; ++number) {
    const std::string text = about("call", number);
    EXPECT_LT(text.size(), 80U) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_FALSE(text.ends_with('.')) << text;
  }
}

TEST(Advice, LooksAtTheCall) {
  EXPECT_TRUE(contains(about("bind", EACCES), "1024"));
  EXPECT_TRUE(contains(about("openat", EACCES), "permissions"));
  EXPECT_TRUE(contains(about("connect", ETIMEDOUT), "firewall"));
  EXPECT_TRUE(contains(about("poll", ETIMEDOUT), "--idle-timeout"));
  EXPECT_TRUE(contains(about("setsockopt", ENOENT), "congestion"));
  EXPECT_TRUE(contains(about("pread", EIO), "the source's device"));
  EXPECT_TRUE(contains(about("write", EIO), "do not trust"));
}

TEST(Advice, LooksAtBothEnds) {
  EXPECT_TRUE(contains(about("write", ENOSPC, {}, {.file_system = "tmpfs"}), "tmpfs"));
  EXPECT_TRUE(contains(about("write", EFBIG, {}, {.file_system = "vfat"}), "FAT"));
  EXPECT_TRUE(contains(about("write", EFBIG, {}, {.file_system = "ext4"}), "ulimit -f"));
  EXPECT_TRUE(contains(about("write", EPIPE, {}, {.kind = Kind::tcp}), "peer"));
  EXPECT_TRUE(contains(about("write", EPIPE, {}, {.kind = Kind::pipe}), "reader"));
  EXPECT_TRUE(contains(about("read", EISDIR, {.kind = Kind::directory}), "not copied"));
  EXPECT_TRUE(contains(about("open", EISDIR, {}, {.kind = Kind::directory}), "destination"));
}

}  // namespace
}  // namespace headrace
