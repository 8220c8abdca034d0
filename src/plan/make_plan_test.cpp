#include <gtest/gtest.h>

#include <array>

#include "headrace/plan.hpp"

namespace headrace {
namespace {

// Methods of this test's own: the planner knows none by name.
constexpr Reason no_pipes{"no-pipes", "made up"};
constexpr Reason not_stable{"not-stable", "made up"};

std::optional<Reason> anything(const Facts&, const Facts&, const Wishes&) { return std::nullopt; }
std::optional<Reason> only_files(const Facts& source, const Facts&, const Wishes&) {
  if (source.kind == Kind::pipe) return no_pipes;
  return std::nullopt;
}
std::optional<Reason> unless_stable(const Facts& source, const Facts&, const Wishes& wishes) {
  if (wishes.contract == Contract::stable && !source.sealed) return not_stable;
  return std::nullopt;
}

constexpr Method slow{.name = "slow",
                      .path_class = PathClass::user,
                      .refuse = anything,
                      .rank = [](const Facts&, const Facts&) { return 90; }};
constexpr Method fast{.name = "fast",
                      .path_class = PathClass::kernel,
                      .refuse = unless_stable,
                      .rank = [](const Facts&, const Facts& destination) {
                        return destination.kind == Kind::tcp ? 50 : 10;
                      }};
constexpr Method other{.name = "other",
                       .path_class = PathClass::kernel,
                       .refuse = only_files,
                       .rank = [](const Facts&, const Facts&) { return 20; }};
constexpr Method clone{.name = "clone",
                       .path_class = PathClass::shared,
                       .refuse = only_files,
                       .rank = [](const Facts&, const Facts&) { return 0; }};
constexpr Method curious{
    .name = "curious",
    .path_class = PathClass::kernel,
    .refuse = anything,
    .rank = [](const Facts&, const Facts&) { return first_rank_by_name_only; }};

constexpr std::array<const Method*, 5> methods{&curious, &slow, &other, &fast, &clone};
const Facts file{.kind = Kind::regular};
const Facts pipe{.kind = Kind::pipe};
const Facts tcp{.kind = Kind::tcp};
using Methods = std::vector<const Method*>;

Reason reason_for(const Plan& plan, const Method& method) {
  for (const Refusal& refusal : plan.refused) {
    if (refusal.method == &method) return refusal.reason;
  }
  return {"none", "was not refused"};
}

TEST(MakePlan, OrdersByRank) {
  EXPECT_EQ(make_plan(methods, file, file, {}).usable, (Methods{&clone, &fast, &other, &slow}));
}

TEST(MakePlan, AsksForTheRankOfThisPair) {
  EXPECT_EQ(make_plan(methods, file, tcp, {}).usable, (Methods{&clone, &other, &fast, &slow}));
}

TEST(MakePlan, KeepsTheOrderOfTheListAmongEquals) {
  constexpr Method twin{
      .name = "twin", .path_class = PathClass::user, .refuse = anything, .rank = slow.rank};
  const std::array<const Method*, 2> one{&slow, &twin};
  const std::array<const Method*, 2> two{&twin, &slow};
  EXPECT_EQ(make_plan(one, file, file, {}).usable, (Methods{&slow, &twin}));
  EXPECT_EQ(make_plan(two, file, file, {}).usable, (Methods{&twin, &slow}));
}

TEST(MakePlan, RecordsEveryMethodOnce) {
  for (const Facts& source : {file, pipe, tcp}) {
    const Plan plan = make_plan(methods, source, file, {});
    EXPECT_EQ(plan.usable.size() + plan.refused.size(), methods.size());
  }
}

TEST(MakePlan, KeepsTheReasonOfTheRule) {
  const Plan plan = make_plan(methods, pipe, file, {});
  EXPECT_EQ(plan.usable, (Methods{&fast, &slow}));
  EXPECT_EQ(reason_for(plan, clone), no_pipes);
  EXPECT_EQ(reason_for(plan, other), no_pipes);
}

TEST(MakePlan, TakesSomeMethodsOnlyByName) {
  EXPECT_EQ(reason_for(make_plan(methods, file, file, {}), curious), by_name_only);
  EXPECT_EQ(make_plan(methods, file, file, {.methods = {"curious"}}).usable, (Methods{&curious}));
}

TEST(MakePlan, TakesTheNamedOnesInTheirOrder) {
  const Plan plan = make_plan(methods, file, file, {.methods = {"slow", "curious", "clone"}});
  EXPECT_EQ(plan.usable, (Methods{&slow, &curious, &clone}));
  EXPECT_EQ(reason_for(plan, fast), not_named);
  EXPECT_EQ(reason_for(plan, other), not_named);
}

TEST(MakePlan, ANamedMethodIsStillRefusedByItsRule) {
  const Plan plan = make_plan(methods, pipe, file, {.methods = {"clone"}});
  EXPECT_TRUE(plan.usable.empty());
  EXPECT_EQ(reason_for(plan, clone), no_pipes);
}

TEST(MakePlan, AnUnknownNameLeavesNothing) {
  EXPECT_TRUE(make_plan(methods, file, file, {.methods = {"absent"}}).usable.empty());
}

TEST(MakePlan, RequiresAClassOrBetter) {
  const Plan kernel = make_plan(methods, file, file, {.require = PathClass::kernel});
  EXPECT_EQ(kernel.usable, (Methods{&clone, &fast, &other}));
  EXPECT_EQ(reason_for(kernel, slow), below_required_class);
  EXPECT_EQ(make_plan(methods, file, file, {.require = PathClass::shared}).usable,
            (Methods{&clone}));
  EXPECT_TRUE(make_plan(methods, pipe, file, {.require = PathClass::shared}).usable.empty());
}

TEST(MakePlan, RequireHoldsForNamedMethodsToo) {
  const Plan plan =
      make_plan(methods, file, file, {.methods = {"slow", "fast"}, .require = PathClass::kernel});
  EXPECT_EQ(plan.usable, (Methods{&fast}));
  EXPECT_EQ(reason_for(plan, slow), below_required_class);
}

TEST(MakePlan, TellsTheContractThatFollows) {
  EXPECT_EQ(make_plan(methods, file, file, {}).contract, Contract::live);
  EXPECT_EQ(make_plan(methods, file, file, {}, Contract::stable).contract, Contract::stable);
  EXPECT_EQ(make_plan(methods, file, file, {.contract = Contract::live}, Contract::stable).contract,
            Contract::live);
}

TEST(MakePlan, TheDefaultContractReachesTheRules) {
  const Plan plan = make_plan(methods, file, file, {}, Contract::stable);
  EXPECT_EQ(plan.usable, (Methods{&clone, &other, &slow}));
  EXPECT_EQ(reason_for(plan, fast), not_stable);
}

TEST(MakePlan, ADefaultContractYieldsToAClassThatWasAskedFor) {
  const Plan plan =
      make_plan(methods, pipe, file, {.require = PathClass::kernel}, Contract::stable);
  EXPECT_EQ(plan.usable, (Methods{&fast}));
  EXPECT_EQ(plan.contract, Contract::live);
}

TEST(MakePlan, ADefaultContractYieldsToAMethodThatWasAskedFor) {
  const Plan plan = make_plan(methods, file, file, {.methods = {"fast"}}, Contract::stable);
  EXPECT_EQ(plan.usable, (Methods{&fast}));
  EXPECT_EQ(plan.contract, Contract::live);
}

TEST(MakePlan, AContractThatWasAskedForNeverYields) {
  for (const Wishes& wishes :
       {Wishes{.methods = {"fast"}, .contract = Contract::stable},
        Wishes{.methods = {"fast"}, .require = PathClass::kernel, .contract = Contract::stable}}) {
    const Plan plan = make_plan(methods, pipe, file, wishes);
    EXPECT_TRUE(plan.usable.empty());
    EXPECT_EQ(plan.contract, Contract::stable);
    EXPECT_EQ(reason_for(plan, fast), not_stable);
  }
}

TEST(MakePlan, AKernelPathUnderStableIsHadByAClone) {
  Facts source{.kind = Kind::regular, .seekable = true, .size = 10, .may_clone = true};
  const Wishes wishes{.methods = {"fast"}, .contract = Contract::stable};
  const Plan plan = make_plan(methods, source, tcp, wishes);
  EXPECT_TRUE(plan.clones_source);
  EXPECT_EQ(plan.contract, Contract::stable);
  ASSERT_EQ(plan.usable.size(), 1U);
  EXPECT_FALSE(make_plan(methods, source, tcp, {.contract = Contract::stable}).clones_source)
      << "reading serves, and was not forbidden";
  source.may_clone = false;
  EXPECT_TRUE(make_plan(methods, source, tcp, wishes).usable.empty());
}

TEST(MakePlan, OnlyARegularFileCanBeGuarded) {
  const Wishes wishes{.contract = Contract::guarded};
  EXPECT_FALSE(make_plan(methods, file, tcp, wishes).usable.empty());
  for (const Facts& source : {pipe, tcp, Facts{.kind = Kind::regular, .pseudo = true}}) {
    EXPECT_TRUE(make_plan(methods, source, tcp, wishes).usable.empty());
    const Plan plan = make_plan(methods, source, tcp, {}, Contract::guarded);
    EXPECT_EQ(plan.contract, Contract::live) << "a default yields";
    EXPECT_FALSE(plan.usable.empty());
  }
}

TEST(MakePlan, ABodyThatMustBeSeenLeavesWhatShowsIt) {
  constexpr Reason opaque{"made-up", "made up"};
  const Plan plan = make_plan(methods, file, tcp, {}, Contract::live, opaque);
  EXPECT_TRUE(plan.usable.empty()) << "none of these shows its bytes";
  EXPECT_EQ(plan.refused.size(), methods.size());
}

TEST(MakePlan, BlocksOfItsOwnAreNotSharedWithAnything) {
  const Plan plan = make_plan(methods, file, file, {.own_blocks = true});
  ASSERT_EQ(plan.usable.size(), 1U);
  EXPECT_EQ(plan.usable.front()->name, "slow");
  EXPECT_GT(make_plan(methods, file, tcp, {.own_blocks = true}).usable.size(), 1U);
}

TEST(MakePlan, ADefaultContractThatCanBeHadStays) {
  const Plan plan =
      make_plan(methods, file, file, {.require = PathClass::kernel}, Contract::stable);
  EXPECT_EQ(plan.usable, (Methods{&clone, &other}));
  EXPECT_EQ(plan.contract, Contract::stable);
}

}  // namespace
}  // namespace headrace
