#include <sys/stat.h>
#include <unistd.h>

#include "transfer/transfer_testing.hpp"

// Holes, blocks of its own, ranges that overlap, and bytes that must be seen.
namespace headrace {
namespace {

using namespace transfer_testing;
using testing::file_holding;
using testing::offset_of;
using testing::open_file;
using testing::random_bytes;
using testing::read_all;
using testing::TemporaryFolder;

const Options keeping_holes{.wishes = {}, .sparse = Sparse::automatic};

Bytes blocks_of(const Descriptor& file) {
  struct stat status{};
  testing::must(::fstat(file.ref().number(), &status), "fstat");
  return static_cast<Bytes>(status.st_blocks) * 512;
}

/// 1 MiB with 8 KiB of data at 256 KiB, holes around it.
Descriptor with_holes(const std::string& data) {
  Descriptor file = file_holding("");
  truncate(file, mebibyte);
  testing::must(::pwrite(file.ref().number(), data.data(), data.size(), 256 * 1024), "pwrite");
  return file;
}

TEST(TransferHoles, StayHolesByEveryMethod) {
  const std::string data = random_bytes(8192);
  const std::string whole =
      std::string(256 * 1024, '\0') + data + std::string(mebibyte - 256 * 1024 - 8192, '\0');
  for (const char* method :
       {"copy_file_range", "sendfile", "splice_pipe", "read_write", "mmap_write", "vmsplice"}) {
    const Descriptor source = with_holes(data);
    const Descriptor destination = file_holding("");
    Options options = keeping_holes;
    options.wishes.methods = {method};
    const Report report = move(body_of_file(source), destination, options);
    EXPECT_EQ(report.outcome, Outcome::complete) << method;
    EXPECT_EQ(report.bytes, data.size()) << method;
    EXPECT_EQ(report.holes, mebibyte - data.size()) << method;
    EXPECT_EQ(report.expected, mebibyte) << method;
    EXPECT_EQ(report.legs.size(), 1U) << method;
    EXPECT_EQ(read_all(destination), whole) << method;
    EXPECT_EQ(blocks_of(destination), blocks_of(source)) << method;
    EXPECT_EQ(offset_of(source), mebibyte) << method;
    EXPECT_EQ(offset_of(destination), mebibyte) << method;
  }
}

TEST(TransferHoles, AreFilledUnlessAskedFor) {
  const Descriptor source = with_holes(random_bytes(8192));
  const Descriptor destination = file_holding("");
  const Report report = move(body_of_file(source), destination);
  EXPECT_EQ(report.bytes, mebibyte);
  EXPECT_EQ(report.holes, 0U);
  EXPECT_GE(blocks_of(destination), mebibyte);
}

TEST(TransferHoles, TakeTheirPlaceInAnOldContent) {
  const Descriptor source = with_holes(random_bytes(8192));
  const TemporaryFolder folder;
  const auto path = folder.file("old", std::string(2 * mebibyte, 'o'));
  const Descriptor destination = open_file(path, O_RDWR);
  EXPECT_EQ(move(body_of_file(source), destination, keeping_holes).outcome, Outcome::complete);
  EXPECT_EQ(read_all(destination), read_all(source) + std::string(mebibyte, 'o'));
  EXPECT_LE(blocks_of(destination), mebibyte + 8192 + 4096);
}

TEST(TransferHoles, ZerosAreFoundWhereThatIsAskedFor) {
  const std::string content =
      std::string(65'536, '\0') + random_bytes(4096) + std::string(65'536, '\0');
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  Options options = keeping_holes;
  options.sparse = Sparse::always;
  const Report report = move(body_of_file(source), destination, options);
  EXPECT_EQ(report.holes, 131'072U);
  EXPECT_EQ(report.bytes, 4096U);
  EXPECT_EQ(read_all(destination), content);
  EXPECT_TRUE(has_note(report.notes, "bytes were read to find zeros"));
}

TEST(TransferHoles, ARangeKeepsThoseInIt) {
  const Descriptor source = with_holes(random_bytes(8192));
  const Descriptor destination = file_holding("");
  const Report report = move(body_of(source.ref(), 100, 256 * 1024), destination, keeping_holes);
  EXPECT_EQ(report.bytes, 100U);
  EXPECT_EQ(report.holes, 256 * 1024 - 100U);
  EXPECT_EQ(read_all(destination), read_all(source).substr(100, 256 * 1024));
}

TEST(TransferHoles, MeanNothingToAPeer) {
  const Descriptor source = with_holes(random_bytes(8192));
  auto pair = testing::connected_unix(testing::Mode::nonblocking);
  testing::Drain drain(pair.far);
  const Report report = move(body_of_file(source), pair.near, keeping_holes);
  pair.near = {};
  EXPECT_EQ(report.bytes, mebibyte);
  EXPECT_EQ(drain.bytes(), read_all(source));
}

TEST(TransferBlocks, OfItsOwnComeByReadingAndWritingOnly) {
  const Descriptor source = file_holding(random_bytes(10'000));
  const Descriptor destination = file_holding("");
  Options options;
  options.wishes.own_blocks = true;
  const Report report = move(body_of_file(source), destination, options);
  EXPECT_EQ(methods_of(report), Names{"read_write"});
  options.wishes.methods = {"copy_file_range"};
  const Report refused = move(body_of(source.ref(), 0), destination, options);
  EXPECT_EQ(refused.outcome, Outcome::refused);
  EXPECT_TRUE(std::ranges::any_of(
      refused.refused, [](const Refusal& refusal) { return refusal.reason == may_share_blocks; }));
}

TEST(TransferOverlap, OfTheRangesIsRefusedBeforeAByteMoves) {
  const TemporaryFolder folder;
  const auto path = folder.file("one", "0123456789");
  const Descriptor source = open_file(path, O_RDONLY);
  const Descriptor destination = open_file(path, O_WRONLY);
  seek(destination, 4);
  const Report report = move(body_of(source.ref(), 0, 5), destination);
  EXPECT_EQ(report.outcome, Outcome::refused);
  ASSERT_EQ(report.refused.size(), 1U);
  EXPECT_EQ(report.refused.front().reason.code, "ranges-overlap");
  EXPECT_EQ(read_all(path), "0123456789");
  EXPECT_EQ(move(body_of(source.ref(), 0, 4), destination).outcome, Outcome::complete);
  EXPECT_EQ(read_all(path), "0123012389");
}

TEST(TransferHashed, EveryTapSeesEveryByteAndThePlanSaysWhy) {
  const std::string content = random_bytes(600'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  std::string first;
  std::string second;
  const auto into = [](std::string& seen) {
    return [&seen](std::span<const std::byte> bytes) {
      seen.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT(*-cast)
    };
  };
  const Report report =
      move(hashed(hashed(body_of_file(source), into(first)), into(second)), destination);
  EXPECT_EQ(methods_of(report), Names{"read_write"});
  EXPECT_TRUE(first == content && second == content);
  EXPECT_TRUE(std::ranges::any_of(
      report.refused, [](const Refusal& refusal) { return refusal.reason == body_is_hashed; }));
}

}  // namespace
}  // namespace headrace
