#include "cli/copy_options.hpp"

#include <gtest/gtest.h>

namespace headrace::cli {
namespace {

CopyArguments arguments_with(auto change) {
  CopyArguments arguments;
  change(arguments);
  return arguments;
}

const Facts file{.kind = Kind::regular, .name = "a", .size = 10};
const Facts pipe{.kind = Kind::pipe, .name = "a"};
const CopyEnd ours{"b", S_IFREG, true};
const CopyEnd null_device{"/dev/null", S_IFCHR, false};

TEST(Contradiction, IsNoneWithoutOptions) {
  EXPECT_FALSE(contradiction({}));
  EXPECT_FALSE(contradiction(arguments_with([](CopyArguments& copy) {
    copy.reflink = Reflink::always;
    copy.common.wishes.require = PathClass::shared;
    copy.sparse = Sparse::automatic;
  })));
}

const Facts full{.kind = Kind::regular, .size = 1, .may_clone = true};

TEST(WishesOf, AnEmptyFileHasNothingToShare) {
  const auto always = arguments_with([](auto& copy) { copy.reflink = Reflink::always; });
  EXPECT_FALSE(wishes_of(always, {.kind = Kind::regular, .may_clone = true}).require);
  EXPECT_TRUE(wishes_of(always, {.kind = Kind::regular}).require) << "nothing can be shared there";
  EXPECT_TRUE(wishes_of(always, {.kind = Kind::pipe}).require);
}

TEST(WishesOf, TakeTheClassOfReflink) {
  const auto always = arguments_with([](auto& copy) { copy.reflink = Reflink::always; });
  EXPECT_EQ(wishes_of(always, full).require, PathClass::shared);
  EXPECT_FALSE(wishes_of(always, full).own_blocks);
  const auto never = arguments_with([](auto& copy) { copy.reflink = Reflink::never; });
  EXPECT_TRUE(wishes_of(never, full).own_blocks);
  EXPECT_FALSE(wishes_of(never, full).require);
  EXPECT_FALSE(wishes_of({}, full).own_blocks || wishes_of({}, full).require);
}

TEST(SparseOf, IsAutomaticUnlessAllBlocksAreReserved) {
  EXPECT_EQ(sparse_of({}), Sparse::automatic);
  EXPECT_EQ(sparse_of(arguments_with([](auto& copy) { copy.preallocate = true; })), Sparse::never);
  EXPECT_EQ(sparse_of(arguments_with([](auto& copy) { copy.sparse = Sparse::always; })),
            Sparse::always);
}

TEST(FallbackContract, FollowsTheDestination) {
  EXPECT_EQ(fallback_contract({.kind = Kind::regular}), Contract::guarded);
  EXPECT_EQ(fallback_contract({.kind = Kind::pipe}), Contract::stable);
  for (const Kind kind : {Kind::tcp, Kind::unix_stream, Kind::null_device, Kind::block_device}) {
    EXPECT_EQ(fallback_contract({.kind = kind}), Contract::live);
  }
}

TEST(NeedsAnotherEnd, AsksForFilesWhereAnOptionIsAboutFiles) {
  const auto wants = [](auto change, const Facts& source, const CopyEnd& destination) {
    return needs_another_end(arguments_with(change), source, destination).has_value();
  };
  const auto nothing = [](CopyArguments&) {};
  const auto durable = [](CopyArguments& copy) { copy.durable = true; };
  const auto verify = [](CopyArguments& copy) { copy.verify = true; };
  const auto preallocate = [](CopyArguments& copy) { copy.preallocate = true; };
  const auto mode = [](CopyArguments& copy) { copy.preserve = Preserve{.mode = Keep::required}; };
  const auto all = [](CopyArguments& copy) { copy.preserve = preserve_all_possible; };
  for (const auto& option : {+durable, +verify, +preallocate, +mode}) {
    EXPECT_FALSE(wants(option, file, ours));
    EXPECT_TRUE(wants(option, file, null_device));
  }
  for (const auto& option : {+verify, +preallocate, +mode}) EXPECT_TRUE(wants(option, pipe, ours));
  for (const auto& option : {+nothing, +durable, +all}) EXPECT_FALSE(wants(option, pipe, ours));
  EXPECT_FALSE(wants(durable, file, {"/dev/sda", S_IFBLK, false}));
  EXPECT_FALSE(wants(all, file, null_device));
}

TEST(NeedsAnotherEnd, TakesALengthThatIsSaid) {
  const auto arguments = arguments_with([](CopyArguments& copy) {
    copy.preallocate = true;
    copy.common.range = Range{.offset = 0, .length = 5};
  });
  EXPECT_FALSE(needs_another_end(arguments, pipe, ours));
}

}  // namespace
}  // namespace headrace::cli
