#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/cloning_file_system.hpp"
#include "transfer/guard_testing.hpp"
#include "transfer/keeping.hpp"
#include "transfer/transfer_testing.hpp"

// Guarded, stable: what is noticed, what is held back, and by what evidence.
namespace headrace {
namespace {

using namespace transfer_testing;
using testing::Drain;
using testing::file_holding;
using testing::Mode;
using testing::open_file;
using testing::open_pipe;
using testing::random_bytes;
using testing::read_all;
using testing::TemporaryFolder;

const Options guarded{.wishes = {}, .fallback_contract = Contract::guarded};

Options guarded_by(std::string method) {
  Options options = guarded;
  options.wishes.methods = {std::move(method)};
  return options;
}

void overwrite(const std::filesystem::path& file, Bytes offset, std::string_view bytes) {
  const Descriptor writer = open_file(file, O_WRONLY | O_NONBLOCK);
  testing::must(
      ::pwrite(writer.ref().number(), bytes.data(), bytes.size(), static_cast<off_t>(offset)),
      "pwrite");
}

Descriptor sealed_memfd(std::string_view content) {
  Descriptor file{
      testing::must(::memfd_create("sealed", MFD_ALLOW_SEALING | MFD_CLOEXEC), "memfd")};
  testing::must(::pwrite(file.ref().number(), content.data(), content.size(), 0), "pwrite");
  testing::must(
      ::fcntl(file.ref().number(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW),
      "seal");
  return file;
}

TEST(TransferGuarded, AnUnchangedFileIsCompleteAndTheEvidenceIsTold) {
  const TemporaryFolder folder;
  const std::string content = random_bytes(200'000);
  const Descriptor source = open_file(folder.file("a", content), O_RDONLY);
  const Descriptor destination = file_holding("");
  const bool lease = guard_testing::lease_is_due(source);
  const Report report = move(body_of_file(source), destination, guarded);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.contract, Contract::guarded);
  EXPECT_EQ(report.evidence, lease ? Evidence::lease : Evidence::times);
  EXPECT_FALSE(report.change);
  EXPECT_EQ(read_all(destination), content);
}

TEST(TransferGuarded, AWriterThatHasTheFileOpenLeavesTheTimesAsEvidence) {
  const TemporaryFolder folder;
  const auto path = folder.file("a", "content");
  const Descriptor writer = open_file(path, O_WRONLY);
  const Descriptor source = open_file(path, O_RDONLY);
  const Descriptor destination = file_holding("");
  EXPECT_EQ(move(body_of_file(source), destination, guarded).evidence, Evidence::times);
}

TEST(TransferGuarded, AChangeWhileAFileIsCopiedIsNoticedByEveryMethod) {
  for (const char* method : {"copy_file_range", "sendfile", "splice_pipe", "read_write"}) {
    const TemporaryFolder folder;
    const auto path = folder.file("a", random_bytes(100'000));
    // Open for writing from before on: no lease, so that the writer below does not wait for us.
    const Descriptor writer = open_file(path, O_WRONLY);
    const Descriptor source = open_file(path, O_RDONLY);
    const Descriptor destination = file_holding("");
    const Body body = after_first_turn(in_portions(body_of_file(source), 100'000, 2),
                                       [&](Bytes) { overwrite(path, 7, "new"); });
    const Report report = move(body, destination, guarded_by(method));
    EXPECT_EQ(report.outcome, Outcome::source_changed) << method;
    ASSERT_TRUE(report.change) << method;
    EXPECT_EQ(report.change->kind, Change::Kind::overwritten) << method;
  }
}

TEST(TransferGuarded, APathThatLeadsElsewhereIsNoticed) {
  const TemporaryFolder folder;
  const auto path = folder.file("a", random_bytes(100'000));
  const auto other = folder.file("b", random_bytes(100'000, 2));
  const Descriptor source = open_file(path, O_RDONLY);
  const Descriptor destination = file_holding("");
  Options options = guarded;
  options.source_path = path;
  const Body body = after_first_turn(in_portions(body_of_file(source), 100'000, 2),
                                     [&](Bytes) { std::filesystem::rename(other, path); });
  const Report report = move(body, destination, options);
  EXPECT_EQ(report.outcome, Outcome::source_changed);
  ASSERT_TRUE(report.change);
  EXPECT_EQ(report.change->kind, Change::Kind::replaced);
}

TEST(TransferGuarded, APeerDoesNotGetTheLastBytesOfAChangedFile) {
  for (const char* method : {"sendfile", "splice_pipe", "read_write"}) {
    const TemporaryFolder folder;
    const Bytes size = 300'000;
    const auto path = folder.file("a", random_bytes(size));
    const Descriptor writer = open_file(path, O_WRONLY);
    const Descriptor source = open_file(path, O_RDONLY);
    auto pair = testing::connected_tcp(Mode::nonblocking);
    Drain drain(pair.far);
    const Body body = after_first_turn(in_portions(body_of_file(source), size, 2),
                                       [&](Bytes) { overwrite(path, 7, "new"); });
    const Report report = move(body, pair.near, guarded_by(method));
    pair.near = {};
    EXPECT_EQ(report.outcome, Outcome::source_changed) << method;
    EXPECT_EQ(report.bytes, size - Keeping::last_piece) << method;
    EXPECT_EQ(drain.bytes().size(), size - Keeping::last_piece) << method;
    EXPECT_EQ(report.legs.size(), 1U) << method;
  }
}

TEST(TransferGuarded, TheLastPieceGoesWhenThePeerHasTheRestAndIsPartOfTheLeg) {
  for (const Bytes size : {1U, 2U, 4096U, 65'536U, 65'537U, 300'000U}) {
    for (const char* method : {"sendfile", "splice_pipe", "read_write"}) {
      const std::string content = random_bytes(size);
      const Descriptor source = file_holding(content);
      auto pair = testing::connected_tcp(Mode::nonblocking);
      Drain drain(pair.far);
      const Report report = move(body_of_file(source), pair.near, guarded_by(method));
      pair.near = {};
      EXPECT_EQ(report.outcome, Outcome::complete) << method << size;
      EXPECT_EQ(report.legs.size(), 1U) << method << size;
      EXPECT_EQ(drain.bytes(), content) << method << size;
    }
  }
}

TEST(TransferGuarded, APipesReaderDoesNotGetThemEither) {
  const TemporaryFolder folder;
  const auto path = folder.file("a", random_bytes(100'000));
  const Descriptor writer = open_file(path, O_WRONLY);
  const Descriptor source = open_file(path, O_RDONLY);
  auto pipe = open_pipe(Mode::nonblocking);
  Drain drain(pipe.reader);
  const Body body = after_first_turn(in_portions(body_of_file(source), 100'000, 2),
                                     [&](Bytes) { overwrite(path, 7, "new"); });
  const Report report = move(body, pipe.writer, guarded);
  pipe.writer = {};
  EXPECT_EQ(report.outcome, Outcome::source_changed);
  EXPECT_EQ(drain.bytes().size(), 50'000U) << "of a short message half is held back";
}

TEST(TransferGuarded, APeerThatReadsNothingEndsByTheIdleTimeout) {
  const Descriptor source = file_holding(random_bytes(100'000));
  const auto pair = testing::connected_unix(Mode::nonblocking);
  Options options = guarded;
  options.idle_timeout = std::chrono::milliseconds{50};
  const Report report = move(body_of_file(source), pair.near, options);
  EXPECT_EQ(report.outcome, Outcome::failed);
  EXPECT_LE(report.bytes, 50'000U);
  ASSERT_FALSE(report.legs.empty());
  EXPECT_EQ(number_of(report.legs.back().error), ETIMEDOUT);
}

TEST(TransferGuarded, AReaderThatGoesAwayWhileWeWaitIsAFailure) {
  const Descriptor source = file_holding(random_bytes(4096));
  auto pipe = open_pipe(Mode::nonblocking);
  const Body body = after_first_turn(body_of_file(source), [&](Bytes) { pipe.reader = {}; });
  const Report report = move(body, pipe.writer, guarded);
  EXPECT_EQ(report.outcome, Outcome::failed);
  EXPECT_EQ(report.bytes, 2048U);
  EXPECT_EQ(number_of(report.legs.back().error), EPIPE);
}

TEST(TransferGuarded, AStreamCannotBeGuarded) {
  auto pipe = open_pipe();
  testing::must(::write(pipe.writer.ref().number(), "bytes", 5), "write");
  pipe.writer = {};
  const Descriptor destination = file_holding("");
  Options options;
  options.wishes.contract = Contract::guarded;
  const Report refused = move(body_of_file(pipe.reader), destination, options);
  EXPECT_EQ(refused.outcome, Outcome::refused);
  ASSERT_FALSE(refused.refused.empty());
  EXPECT_EQ(refused.refused.front().reason, contract_not_offered);
  const Report report = move(body_of_file(pipe.reader), destination, guarded);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.contract, Contract::live) << "a default yields";
  EXPECT_FALSE(report.evidence);
}

TEST(TransferGuarded, AMappedSourceThatShrankHasChangedRatherThanFailed) {
  for (const Options& options : {only({"mmap_write"}), guarded_by("mmap_write")}) {
    const TemporaryFolder folder;
    const auto path = folder.file("a", random_bytes(100'000));
    const Descriptor writer = open_file(path, O_WRONLY);
    const Descriptor source = open_file(path, O_RDONLY);
    const Descriptor destination = file_holding("");
    const Body body = after_first_turn(in_portions(body_of_file(source), 100'000, 2),
                                       [&](Bytes) { truncate(writer, 5'000); });
    const Report report = move(body, destination, options);
    EXPECT_EQ(report.outcome, Outcome::source_changed);
    ASSERT_TRUE(report.change);
    EXPECT_EQ(report.change->kind, Change::Kind::shrank);
    EXPECT_EQ(report.change->bytes, 5'000U);
  }
}

TEST(TransferStable, ReadingIsTheEvidenceTowardsAPeer) {
  const Descriptor source = file_holding("bytes");
  const auto pipe = open_pipe(Mode::nonblocking);
  Options options;
  options.wishes.contract = Contract::stable;
  const Report report = move(body_of_file(source), pipe.writer, options);
  EXPECT_EQ(report.evidence, Evidence::read);
  EXPECT_EQ(methods_of(report), Names{"read_write"});
}

TEST(TransferStable, ASealedFileKeepsTheKernelsPath) {
  const Descriptor source = sealed_memfd("sealed bytes");
  const auto pair = testing::connected_unix(Mode::nonblocking);
  Options options;
  options.wishes.contract = Contract::stable;
  options.wishes.require = PathClass::kernel;
  const Report report = move(body_of_file(source), pair.near, options);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.evidence, Evidence::sealed);
  EXPECT_EQ(class_of(report), PathClass::kernel);
  EXPECT_FALSE(report.peer_memory) << "nobody can write to these pages";
}

TEST(TransferStable, WithARequiredClassACloneIsSent) {
  const testing::CloningFileSystem mount;
  if (!mount.path()) GTEST_SKIP() << "no file system with shared extents";
  const TemporaryFolder folder(*mount.path());
  const std::string content = random_bytes(200'000);
  const auto path = folder.file("a", content);
  const Descriptor source = open_file(path, O_RDONLY);
  auto pair = testing::connected_unix(Mode::nonblocking);
  Options options;
  options.wishes.contract = Contract::stable;
  options.wishes.require = PathClass::kernel;
  Drain drain(pair.far);
  const Body body = after_first_turn(in_portions(body_of_file(source), 200'000, 2),
                                     [&](Bytes) { overwrite(path, 0, std::string(200'000, 'x')); });
  const Report report = move(body, pair.near, options);
  pair.near = {};
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.evidence, Evidence::clone);
  EXPECT_EQ(class_of(report), PathClass::kernel);
  EXPECT_FALSE(report.peer_memory);
  EXPECT_EQ(drain.bytes(), content);
}

}  // namespace
}  // namespace headrace
