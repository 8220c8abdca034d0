#include "transfer/guard.hpp"

#include <sys/stat.h>

#include <array>

#include "transfer/guard_testing.hpp"

namespace headrace {
namespace {

using namespace guard_testing;
using Kind = Change::Kind;
namespace fs = std::filesystem;

std::optional<Kind> kind_seen(const Guard& guard) {
  const auto change = change_seen(guard);
  return change ? std::optional{change->kind} : std::nullopt;
}

// With a writer that was there before, only the times can tell; without one there is a lease.
class GuardBesideAWriter : public ::testing::Test {
 protected:
  Source source_;
  Descriptor writer_ = open_file(source_.path, O_RDWR);
  Guard guard_ = guard_of(source_);
};

TEST_F(GuardBesideAWriter, GoesByTheTimesAndSaysWhy) {
  EXPECT_EQ(guard_.evidence(), Evidence::times);
  ASSERT_EQ(guard_.notes().size(), 1);
  EXPECT_NE(guard_.notes()[0].find("open for writing"), std::string::npos) << guard_.notes()[0];
}

TEST_F(GuardBesideAWriter, SeesNothingWhereNothingHappened) {
  EXPECT_EQ(kind_seen(guard_), std::nullopt);
}

TEST_F(GuardBesideAWriter, SeesAnOverwrite) {
  overwrite(writer_);
  EXPECT_EQ(kind_seen(guard_), Kind::overwritten);
}

TEST_F(GuardBesideAWriter, SeesAnOverwriteRightAfterAnother) {
  for (int round = 0; round < 200; ++round) {
    overwrite(writer_);
    const Guard guard = guard_of(source_);
    overwrite(writer_);
    ASSERT_EQ(kind_seen(guard), Kind::overwritten) << "in round " << round;
  }
}

TEST_F(GuardBesideAWriter, SeesThatItGrew) {
  must(::ftruncate(writer_.ref().number(), 2 * page + 17), "ftruncate");
  const auto change = change_seen(guard_);
  ASSERT_TRUE(change);
  EXPECT_EQ(describe(*change), "grew by 17 bytes");
}

TEST_F(GuardBesideAWriter, SeesThatItShrank) {
  must(::ftruncate(writer_.ref().number(), 5), "ftruncate");
  const auto change = change_seen(guard_);
  ASSERT_TRUE(change);
  EXPECT_EQ(describe(*change), "shrank to 5 bytes");
}

TEST_F(GuardBesideAWriter, SeesAHolePunched) {
  if (::fallocate(writer_.ref().number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, page) !=
      0) {
    GTEST_SKIP() << "no holes here";
  }
  EXPECT_EQ(kind_seen(guard_), Kind::overwritten);
}

TEST_F(GuardBesideAWriter, SeesThatAnotherFileTookItsName) {
  fs::rename(source_.folder.file("other", std::string(2 * page, 'o')), source_.path);
  EXPECT_EQ(kind_seen(guard_), Kind::replaced);
}

TEST_F(GuardBesideAWriter, SeesThatItsNameIsGone) {
  fs::remove(source_.path);
  EXPECT_EQ(kind_seen(guard_), Kind::replaced);
}

TEST_F(GuardBesideAWriter, SeesAnotherMode) {
  must(::chmod(source_.path.c_str(), 0600), "chmod");
  EXPECT_EQ(kind_seen(guard_), Kind::touched);
}

TEST_F(GuardBesideAWriter, SeesAnOverwriteWhoseTimesWereSetBack) {
  struct stat before{};
  must(::fstat(writer_.ref().number(), &before), "fstat");
  overwrite(writer_);
  const std::array<timespec, 2> times{before.st_atim, before.st_mtim};
  must(::futimens(writer_.ref().number(), times.data()), "futimens");
  EXPECT_EQ(kind_seen(guard_), Kind::touched);
}

TEST(GuardWithoutAPath, SeesARenameBesideAWriterAsATouch) {
  const Source source;
  const Descriptor writer = open_file(source.path, O_RDWR);
  const auto guard = Guard::begin(source.file.ref(), "");
  ASSERT_TRUE(guard);
  fs::rename(source.folder.file("other", std::string(2 * page, 'o')), source.path);
  EXPECT_EQ(kind_seen(*guard), Kind::touched);
}

TEST(GuardOfAPathThatLedElsewhere, DoesNotLookAtItAndSaysSo) {
  const Source source;
  const fs::path other = source.folder.file("other", "x");
  const auto guard = Guard::begin(source.file.ref(), other.string());
  ASSERT_TRUE(guard);
  EXPECT_EQ(guard->notes().size(), 1);
  fs::remove(other);
  EXPECT_EQ(kind_seen(*guard), std::nullopt);
}

TEST(GuardOfABadDescriptor, FailsToBegin) {
  const auto guard = Guard::begin(DescriptorRef{}, "");
  ASSERT_FALSE(guard);
  EXPECT_EQ(guard.error().call, "fstat");
}

class GuardWithALease : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!lease_is_due(source_.file)) GTEST_SKIP() << "no leases here";
    ASSERT_EQ(guard_.evidence(), Evidence::lease);
  }
  Source source_;
  Guard guard_ = guard_of(source_);
};

TEST_F(GuardWithALease, SeesNothingWhereNothingHappened) {
  guard_.look();
  EXPECT_EQ(kind_seen(guard_), std::nullopt);
  EXPECT_TRUE(guard_.notes().empty());
}

TEST_F(GuardWithALease, CallsNothingAChangeThatIsNoWrite) {
  must(::chmod(source_.path.c_str(), 0600), "chmod");
  fs::create_hard_link(source_.path, source_.folder / "link");
  EXPECT_EQ(kind_seen(guard_), std::nullopt);
}

TEST_F(GuardWithALease, WithoutAPathLeavesAFileWholeThatLosesItsName) {
  Source source;
  const auto guard = Guard::begin(source.file.ref(), "");
  ASSERT_TRUE(guard);
  ASSERT_EQ(guard->evidence(), Evidence::lease);
  fs::rename(source.folder.file("other", std::string(page, 'n')), source.path);
  EXPECT_EQ(kind_seen(*guard), std::nullopt);
  EXPECT_TRUE(guard->holds_lease());
}

TEST_F(GuardWithALease, SeesAnotherModeOnceAWriterWasLetIn) {
  Opener writer{source_.path};
  writer.let_in(guard_);
  must(::chmod(source_.path.c_str(), 0600), "chmod");
  EXPECT_EQ(kind_seen(guard_), Kind::touched);
}

TEST_F(GuardWithALease, LetsAWriterInAndSaysWhen) {
  Opener writer{source_.path};
  writer.let_in(guard_);
  EXPECT_NE(guard_.notes().at(0).find("the lease was given back"), std::string::npos);
  EXPECT_EQ(kind_seen(guard_), std::nullopt) << "an open alone changes nothing";
}

TEST_F(GuardWithALease, SeesAnOverwriteByAWriterThatCameLater) {
  Opener writer{source_.path};
  writer.let_in(guard_);
  overwrite(writer.file());
  EXPECT_EQ(kind_seen(guard_), Kind::overwritten);
}

TEST_F(GuardWithALease, SeesATruncationOnOpening) {
  Opener writer{source_.path, O_RDWR | O_TRUNC};
  writer.let_in(guard_);
  EXPECT_EQ(kind_seen(guard_), Kind::shrank);
}

TEST_F(GuardWithALease, SeesAStoreThroughAMappingThatCameLater) {
  Opener writer{source_.path};
  writer.let_in(guard_);
  Mapped mapping{writer.file()};
  mapping.store('n');
  EXPECT_EQ(kind_seen(guard_), Kind::overwritten);
}

TEST_F(GuardWithALease, SeesAStoreToAPageThatTheMappingReadBefore) {
  Opener writer{source_.path};
  writer.let_in(guard_);
  Mapped mapping{writer.file()};
  ASSERT_EQ(mapping.read(), 'o');
  mapping.store('n');
  EXPECT_EQ(kind_seen(guard_), Kind::overwritten);
  EXPECT_EQ(guard_.evidence(), Evidence::lease);
}

TEST_F(GuardWithALease, SeesAnOverwriteEvenWhereTheSourceWasWrittenJustBefore) {
  const Source source;
  for (int round = 0; round < 50; ++round) {
    overwrite(open_file(source.path, O_WRONLY));
    Guard guard = guard_of(source);
    Opener writer{source.path};
    writer.let_in(guard);
    overwrite(writer.file());
    ASSERT_EQ(kind_seen(guard), Kind::overwritten) << "in round " << round;
  }
}

TEST_F(GuardWithALease, GivesItBackAtTheEndOfItsLife) {
  {
    const Guard moved = std::move(guard_);
  }
  const Descriptor file{::open(source_.path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)};
  EXPECT_TRUE(file.valid());
}

// What no times can show.
TEST(WhatTimesDoNotSee, AStoreThroughAMappingThatWasDirtyAlready) {
  const Source source;
  const Descriptor writer = open_file(source.path, O_RDWR);
  Mapped mapping{writer};
  mapping.store('a');
  const Guard guard = guard_of(source);
  mapping.store('b');
  EXPECT_EQ(kind_seen(guard), std::nullopt);
  EXPECT_EQ(guard.evidence(), Evidence::times) << "no lease beside a writable mapping";
}

TEST(WhatTimesDoNotSee, OnTmpfsAStoreToAPageThatTheMappingReadBefore) {
  if (::access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "no tmpfs";
  const Source source{"/dev/shm"};
  Guard guard = guard_of(source);
  if (!lease_is_due(source.file)) GTEST_SKIP() << "no leases on /dev/shm";
  ASSERT_EQ(guard.evidence(), Evidence::lease);
  Opener writer{source.path};
  writer.let_in(guard);
  Mapped mapping{writer.file()};
  ASSERT_EQ(mapping.read(), 'o');
  mapping.store('n');
  EXPECT_EQ(kind_seen(guard), std::nullopt);
  EXPECT_EQ(guard.evidence(), Evidence::times) << "so the lease is no evidence any more";
}

}  // namespace
}  // namespace headrace
