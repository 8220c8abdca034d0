#include "transfer/extents.hpp"

#include <linux/falloc.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "support/deny.hpp"
#include "transfer/extents_testing.hpp"

namespace headrace {
namespace {

using extents_testing::block;
using extents_testing::data;
using extents_testing::full_block;
using extents_testing::hole;
using extents_testing::Runs;
using extents_testing::runs_of;
using extents_testing::sparse_file;
using extents_testing::walk;
using testing::file_holding;

class ExtentsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!extents_testing::keeps_holes())
      GTEST_SKIP() << "no holes of 4 KiB in " << std::filesystem::temp_directory_path();
  }
};

TEST_F(ExtentsTest, AFileWithoutHolesIsOneRun) {
  EXPECT_EQ(runs_of(file_holding(full_block(5)), 0, 5 * block), Runs{data(5 * block)});
}

TEST_F(ExtentsTest, AFileWithoutDataIsOneHole) {
  EXPECT_EQ(runs_of(sparse_file(5 * gibibyte), 0, 5 * gibibyte), Runs{hole(5 * gibibyte)});
}

TEST_F(ExtentsTest, FindsLeadingMiddleAndTrailingHoles) {
  const Descriptor file =
      sparse_file(10 * block + 7, {{block, full_block(2)}, {5 * block, full_block()}});
  EXPECT_EQ(runs_of(file, 0, 10 * block + 7), (Runs{hole(block), data(2 * block), hole(2 * block),
                                                    data(block), hole(4 * block + 7)}));
}

TEST_F(ExtentsTest, StaysWithinItsBounds) {
  const Descriptor file = sparse_file(10 * block, {{4 * block, full_block(2)}});
  EXPECT_EQ(runs_of(file, 100, 200), Runs{hole(100)});
  EXPECT_EQ(runs_of(file, 4 * block + 5, 5 * block), Runs{data(block - 5)});
  EXPECT_EQ(runs_of(file, 4 * block - 1, 6 * block + 1), (Runs{hole(1), data(2 * block), hole(1)}));
}

TEST_F(ExtentsTest, AnEmptyRangeHasNoRun) {
  Extents extents(sparse_file(block).ref(), Sparse::automatic);
  EXPECT_EQ(extents.next(5, 5), data(0));
  EXPECT_EQ(extents.next(6, 5), data(0));
}

TEST_F(ExtentsTest, WithoutTheWishEverythingIsData) {
  EXPECT_EQ(runs_of(sparse_file(10 * block), 5, 10 * block, Sparse::never),
            Runs{data(10 * block - 5)});
}

TEST_F(ExtentsTest, CanBeAskedAgainAndOutOfOrder) {
  const Descriptor file = sparse_file(8 * block, {{0, full_block(2)}, {4 * block, full_block()}});
  Extents extents(file.ref(), Sparse::automatic);
  EXPECT_EQ(extents.next(0, 8 * block), data(2 * block));
  EXPECT_EQ(extents.next(0, block), data(block));
  EXPECT_EQ(extents.next(5 * block, 8 * block), hole(3 * block));
  EXPECT_EQ(extents.next(block, 8 * block), data(block));
  EXPECT_EQ(extents.next(2 * block, 3 * block), hole(block));
  EXPECT_EQ(extents.next(3 * block, 8 * block), hole(block));
  EXPECT_EQ(extents.next(4 * block, 8 * block), data(block));
}

// What was reserved and never written reads as zeros: st_blocks alone would not tell.
TEST_F(ExtentsTest, ReservedBlocksThatWereNeverWrittenAreAHole) {
  const Descriptor file = file_holding(full_block());
  if (::fallocate(file.ref().number(), 0, 0, 8 * block) != 0) GTEST_SKIP() << "no fallocate(2)";
  const Facts facts = probe(file.ref()).value();
  EXPECT_GE(facts.allocated, facts.size);
  EXPECT_TRUE(may_have_holes(facts));
  const Runs runs = runs_of(file, 0, 8 * block);
  if (runs == Runs{data(8 * block)}) GTEST_SKIP() << "this file system calls them data (tmpfs)";
  EXPECT_EQ(runs, (Runs{data(block), hole(7 * block)}));
}

TEST_F(ExtentsTest, BeyondTheEndOfTheFileIsData) {
  const Descriptor holes = sparse_file(2 * block);
  EXPECT_EQ(runs_of(holes, 0, 5 * block), (Runs{hole(2 * block), data(3 * block)}));
  EXPECT_EQ(runs_of(holes, 3 * block, 5 * block), Runs{data(2 * block)});
  EXPECT_EQ(runs_of(file_holding(""), 0, block), Runs{data(block)});
}

TEST_F(ExtentsTest, NobodySeesThePositionMove) {
  const Descriptor file = sparse_file(8 * block, {{block, full_block()}});
  testing::must(::lseek(file.ref().number(), 77, SEEK_SET), "lseek");
  const Descriptor shared{testing::must(::dup(file.ref().number()), "dup")};
  for (const Sparse sparse : {Sparse::automatic, Sparse::always}) {
    Extents extents(file.ref(), sparse);
    EXPECT_EQ(extents.next(0, 8 * block), hole(block));
    EXPECT_EQ(testing::offset_of(shared), 77U);
    walk(extents, 0, 8 * block);
    EXPECT_EQ(testing::offset_of(shared), 77U);
  }
}

TEST_F(ExtentsTest, LeavesNoDescriptorOpen) {
  const Descriptor file = sparse_file(block);
  const auto before = testing::open_descriptors();
  runs_of(file, 0, block);
  EXPECT_EQ(testing::open_descriptors(), before);
}

// A file passed by another user, or no /proc: the lent descriptor's position is put back.
TEST_F(ExtentsTest, DoesWithTheLentDescriptorWhereTheFileCannotBeOpenedAgain) {
  const auto walked = [] {
    const Descriptor file = sparse_file(3 * block, {{block, full_block()}});
    testing::must(::lseek(file.ref().number(), 77, SEEK_SET), "lseek");
    testing::deny_call(SYS_openat, EACCES);
    const bool right = runs_of(file, 0, 3 * block) == Runs{hole(block), data(block), hole(block)};
    return right && testing::offset_of(file) == 77 ? 0 : 1;
  };
  EXPECT_EQ(testing::run_in_child(walked), 0);
}

TEST_F(ExtentsTest, WhereTheCallIsNotOfferedEverythingIsData) {
  for (const int number : {EINVAL, EOPNOTSUPP, ENOSYS, EIO}) {
    EXPECT_EQ(testing::run_in_child([&] {
                const Descriptor file = sparse_file(9 * block);
                testing::deny_call(SYS_lseek, number);
                return runs_of(file, 0, 9 * block) == Runs{data(9 * block)} ? 0 : 1;
              }),
              0)
        << number;
  }
}

// No file answers so; a file system of another's making might.
TEST_F(ExtentsTest, AnswersThatCannotBeTrueNeitherStopItNorLeadItAstray) {
  for (const std::int64_t answer : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3 * block},
                                    std::numeric_limits<std::int64_t>::max()}) {
    const int status = testing::run_denied({testing::faked(SYS_lseek, answer)}, [] {
      const Descriptor file = file_holding(full_block(9));
      const Runs runs = runs_of(file, 2 * block, 9 * block);
      return !::testing::Test::HasFailure() && runs.size() <= 7 ? 0 : 1;
    });
    if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp here";
    EXPECT_EQ(status, 0) << answer;
  }
}

// A million runs are affordable: each is found by one call, wherever it is.
TEST_F(ExtentsTest, MakesOneCallForEachRun) {
  constexpr Bytes pairs = 200;
  const auto run =
      testing::run_denied_and_count({testing::Denial{.call = SYS_lseek, .answer = {}}}, [] {
        std::map<Bytes, std::string> marks;
        for (Bytes i = 0; i < pairs; ++i) marks.emplace((2 * i + 1) * block, full_block());
        const Descriptor file = sparse_file(2 * pairs * block, marks);
        return runs_of(file, 0, 2 * pairs * block).size() == 2 * pairs ? 0 : 1;
      });
  if (run.status == testing::cannot_deny) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(run.status, 0);
  EXPECT_LE(run.counts.at(0).seen, 2 * pairs + 2);
}

TEST(MayHaveHoles, OnlyRegularFilesOfASizeThatCanBeBelieved) {
  EXPECT_TRUE(may_have_holes({.kind = Kind::regular, .size = 1}));
  EXPECT_FALSE(may_have_holes({.kind = Kind::regular}));
  EXPECT_FALSE(may_have_holes({.kind = Kind::regular, .pseudo = true, .size = 4096}));
  EXPECT_FALSE(may_have_holes({.kind = Kind::block_device, .size = 4096}));
  EXPECT_FALSE(may_have_holes({.kind = Kind::pipe}));
}

}  // namespace
}  // namespace headrace
