#include <gtest/gtest.h>

#include "denied/attempt.hpp"

namespace headrace::testing {
namespace {

class DeniedResult : public ::testing::TestWithParam<const Method*> {
 protected:
  void SetUp() override {
    if (!can_deny()) GTEST_SKIP() << "no seccomp notification here";
  }
  const Method& method() const { return *GetParam(); }
};

// A call that answers 0 or more than it was asked for has moved nothing here, whatever it says.
constexpr std::int64_t huge = 0x7fffffffffff;
constexpr std::size_t first_part = 5'000;

// A plain read's 0 is a stream's own end: nobody can tell it from the truth.
bool looks_like_the_end(const Method& method, const Ends& ends, const MovingCall& call) {
  return method.path_class == PathClass::user && ends.stream && call.at_source;
}

TEST_P(DeniedResult, ShortAnswersLoseNothing) {
  for_each_call(method(), [&](const auto& make, const MovingCall& call) {
    if (!call.counts) return;
    for (const std::size_t most : {std::size_t{997}, std::size_t{4096}, first_part}) {
      Ends ends = make();
      const auto denial = narrowed(shortened(call.number, most), call, ends);
      const Seen seen = attempt(std::move(ends), {denial}, alone(method()));
      EXPECT_EQ(seen.outcome, Outcome::complete);
      EXPECT_EQ(seen.bytes, content_size);
    }
  });
}

// Zero for ever, from the first call on or after a first part.
std::vector<Denial> zeros(const MovingCall& call, const Ends& ends, bool at_once) {
  const Denial zero = narrowed(faked(call.number, 0), call, ends);
  if (at_once) return {zero};
  return {narrowed(shortened(call.number, first_part), call, ends).at(1), zero};
}

TEST_P(DeniedResult, AZeroIsNeverTakenForSuccess) {
  for_each_call(method(), [&](const auto& make, const MovingCall& call) {
    if (!call.counts) return;  // 0 is all that its success looks like
    for (const Wishes& wishes : {alone(method()), before_all_others(method()), Wishes{}}) {
      for (const bool at_once : {true, false}) {
        Ends ends = make();
        const bool end = looks_like_the_end(method(), ends, call);
        const auto denials = zeros(call, ends, at_once);
        const Seen seen = attempt(std::move(ends), denials, wishes);
        const bool all = seen.outcome == Outcome::complete && seen.bytes == content_size;
        EXPECT_TRUE(all || end || seen.outcome != Outcome::complete);
      }
    }
  });
}

// Without the methods of user space, whose read is what decides.
class DeniedFastResult : public DeniedResult {};

std::vector<const Method*> fast_methods() {
  std::vector<const Method*> methods;
  for (const Method* method : all_methods()) {
    if (method->path_class > PathClass::user) methods.push_back(method);
  }
  return methods;
}

TEST_P(DeniedFastResult, ThatMovesNothingMoreIsFollowedByAnother) {
  for_each_call(method(), [&](const auto& make, const MovingCall& call) {
    if (!call.counts) return;
    for (const bool at_once : {true, false}) {
      Ends ends = make();
      const auto denials = zeros(call, ends, at_once);
      const Seen seen = attempt(std::move(ends), denials, before_all_others(method()));
      if (seen.last_errno == EIO) return;  // a pipe of ours holds bytes and gives none
      EXPECT_EQ(seen.outcome, Outcome::complete);
      EXPECT_EQ(seen.bytes, content_size);
    }
  });
}

TEST_P(DeniedResult, MoreThanWasAskedForIsAFailure) {
  const bool in_memory = method().path_class == PathClass::user;
  if (sanitized && in_memory) GTEST_SKIP() << "the sanitizer itself believes the answer";
  for_each_call(method(), [&](const auto& make, const MovingCall& call) {
    for (const Wishes& wishes : {alone(method()), before_all_others(method())}) {
      for (const std::int64_t result : {huge, std::int64_t{most_bytes_per_call} + 1}) {
        Ends ends = make();
        if (!call.counts && result == huge) continue;  // int is all that an ioctl answers
        const auto denial = narrowed(faked(call.number, result), call, ends);
        const Seen seen = attempt(std::move(ends), {denial}, wishes);
        EXPECT_EQ(seen.outcome, Outcome::failed);
        EXPECT_EQ(seen.last_errno, EOVERFLOW);
        EXPECT_EQ(seen.bytes, 0U);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, DeniedResult,
                         ::testing::ValuesIn(all_methods().begin(), all_methods().end()),
                         [](const auto& method) { return std::string(method.param->name); });

INSTANTIATE_TEST_SUITE_P(All, DeniedFastResult, ::testing::ValuesIn(fast_methods()),
                         [](const auto& method) { return std::string(method.param->name); });

}  // namespace
}  // namespace headrace::testing
