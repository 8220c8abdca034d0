#include "checked/second_read.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "support/temporary.hpp"

namespace headrace::checked {
namespace {

using headrace::testing::file_holding;
using headrace::testing::random_bytes;

Digest digest_of(std::string_view bytes) {
  Hash hash;
  hash.add(std::as_bytes(std::span(bytes)));
  return hash.value();
}

std::unique_ptr<SecondRead> begin(DescriptorRef file, Bytes start, const Stop& stop = {}) {
  auto reader = SecondRead::begin(file, start, stop);
  EXPECT_TRUE(reader);
  return reader ? std::move(*reader) : nullptr;
}

TEST(SecondRead, HashesTheRangeThatMovedAndMovesNoPosition) {
  const std::string content = random_bytes(1'000'000);
  const Descriptor file = file_holding(content);
  const auto reader = begin(file.ref(), 1000);
  for (const Bytes moved : {Bytes{1}, Bytes{300'000}, Bytes{300'001}}) reader->moved(moved);
  const Hashed hashed = reader->finish(500'000);
  EXPECT_EQ(hashed.bytes, 500'000U);
  EXPECT_EQ(hashed.digest, digest_of(std::string_view(content).substr(1000, 500'000)));
  EXPECT_TRUE(hashed.reread);
  EXPECT_FALSE(hashed.error);
  EXPECT_EQ(headrace::testing::offset_of(file), 0U);
}

TEST(SecondRead, OfNothingIsTheHashOfNothing) {
  const Descriptor file = file_holding("content");
  const auto reader = begin(file.ref(), 0);
  const Hashed hashed = reader->finish(0);
  EXPECT_EQ(hashed.bytes, 0U);
  EXPECT_EQ(hashed.digest, digest_of(""));
}

TEST(SecondRead, EndsWhereTheFileHasNoMore) {
  const Descriptor file = file_holding("content");
  const auto reader = begin(file.ref(), 3);
  const Hashed hashed = reader->finish(100);
  EXPECT_EQ(hashed.bytes, 4U);
  EXPECT_EQ(hashed.digest, digest_of("tent"));
  EXPECT_FALSE(hashed.error);
}

TEST(SecondRead, TellsWhyItCannotRead) {
  const Descriptor file = headrace::testing::open_file("/dev/null", O_WRONLY);
  const auto reader = begin(file.ref(), 0);
  const Hashed hashed = reader->finish(1);
  ASSERT_TRUE(hashed.error);
  EXPECT_EQ(hashed.error->call, "pread");
  EXPECT_EQ(hashed.error->code, std::errc::bad_file_descriptor);
}

TEST(SecondRead, HeedsTheStop) {
  const Descriptor file = file_holding(random_bytes(1'000'000));
  const std::atomic<bool> requested = true;
  const auto reader = begin(file.ref(), 0, {.requested = &requested, .wake = {}});
  EXPECT_EQ(reader->finish(1'000'000).bytes, 0U);
}

TEST(SecondRead, MayBeAbandoned) {
  const Descriptor file = file_holding(random_bytes(1'000'000));
  const auto reader = begin(file.ref(), 0);
  reader->moved(10);
}

}  // namespace
}  // namespace headrace::checked
