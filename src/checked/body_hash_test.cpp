#include "checked/body_hash.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <string>

#include "support/cloning_file_system.hpp"
#include "support/ends.hpp"
#include "support/temporary.hpp"

namespace headrace::checked {
namespace {

using headrace::testing::connected_unix;
using headrace::testing::file_holding;
using headrace::testing::Mode;

const std::string content = "hello";

Digest digest_of(std::string_view bytes) {
  Hash hash;
  hash.add(std::as_bytes(std::span(bytes)));
  return hash.value();
}

/// What a sender's transfer of `file` (so small that nobody need read meanwhile) comes to.
Moved sent(const Descriptor& file, const Options& options = {}) {
  const auto pair = connected_unix(Mode::nonblocking);
  auto moved = move_hashed(body_of(file.ref(), {}, content.size()), Plain{pair.near.ref()}, options,
                           Readable{.file = file.ref(), .start = 0});
  EXPECT_TRUE(moved);
  return moved ? std::move(*moved) : Moved{};
}

void expect_right(const Moved& moved, bool reread) {
  EXPECT_EQ(moved.report.outcome, Outcome::complete);
  EXPECT_EQ(moved.hashed.digest, digest_of(content));
  EXPECT_EQ(moved.hashed.bytes, content.size());
  EXPECT_EQ(moved.hashed.reread, reread);
}

TEST(MoveHashed, ReadsASourceASecondTimeWhereTheKernelMovesIt) {
  const Moved moved = sent(file_holding(content));
  expect_right(moved, true);
  EXPECT_EQ(class_of(moved.report), PathClass::kernel);
}

TEST(MoveHashed, HashesAStableSourceAsItPasses) {
  for (const bool fallback : {false, true}) {
    Options options;
    if (fallback) {
      options.fallback_contract = Contract::stable;
    } else {
      options.wishes.contract = Contract::stable;
    }
    expect_right(sent(file_holding(content), options), false);
  }
}

TEST(MoveHashed, ACloneThatWouldBeSentIsNotTheFileThatWouldBeReadAgain) {
  const headrace::testing::CloningFileSystem cloning;
  if (!cloning.path()) GTEST_SKIP() << "no file system that clones";
  const headrace::testing::TemporaryFolder folder{*cloning.path()};
  const Descriptor file = headrace::testing::open_file(folder.file("a", content), O_RDWR);
  Options options;
  options.wishes.contract = Contract::stable;
  options.wishes.require = PathClass::kernel;
  const Moved moved = sent(file, options);
  EXPECT_EQ(moved.report.outcome, Outcome::refused);
  EXPECT_EQ(moved.report.bytes, 0U);
}

TEST(MoveHashed, ReadsANewFileOfOursASecondTimeUnderEveryContract) {
  auto pair = connected_unix();
  const headrace::testing::Feed feed{std::move(pair.far), content};
  const Descriptor file = file_holding("");
  Options options;
  options.wishes.contract = Contract::stable;
  const auto moved = move_hashed(body_of(pair.near.ref(), {}, content.size()), Plain{file.ref()},
                                 options, Readable{.file = file.ref(), .start = 0});
  ASSERT_TRUE(moved);
  expect_right(*moved, true);
}

/// While it lives no thread can be made: no address space holds its stack.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge = before_;
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50U);
    pthread_setattr_default_np(&huge);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;
  ~NoMoreThreads() { pthread_setattr_default_np(&before_); }

 private:
  pthread_attr_t before_{};
};

TEST(SecondRead, TellsThatItHasNoThread) {
  const NoMoreThreads none;
  const Descriptor file = file_holding(content);
  const auto reader = SecondRead::begin(file.ref(), 0, {});
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, std::errc::resource_unavailable_try_again);
}

TEST(MoveHashed, HashesAsItPassesWhereThereIsNoThread) {
  const NoMoreThreads none;
  const Moved moved = sent(file_holding(content));
  expect_right(moved, false);
  ASSERT_FALSE(moved.report.notes.empty());
  EXPECT_TRUE(moved.report.notes.back().starts_with("no thread for a second read: "));
}

}  // namespace
}  // namespace headrace::checked
