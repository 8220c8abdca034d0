#include <fcntl.h>
#include <gtest/gtest.h>

#include "denied/attempt.hpp"
#include "methods/support/errno_table.hpp"

namespace headrace::testing {
namespace {

constexpr std::size_t first_part = 5'000;

// The call fails from the start, or after it has moved a first part.
enum class When { first_call, after_some_bytes };
constexpr std::initializer_list<When> moments{When::first_call, When::after_some_bytes};

std::vector<Denial> denials_for(const Denial& denial, const MovingCall& call, const Ends& ends,
                                When when) {
  std::vector<Denial> denials;
  if (when == When::after_some_bytes) {
    denials.push_back(narrowed(shortened(call.number, first_part), call, ends).at(1));
  }
  denials.push_back(narrowed(denial, call, ends));
  return denials;
}

class DeniedErrno : public ::testing::TestWithParam<const Method*> {
 protected:
  void SetUp() override {
    if (!can_deny()) GTEST_SKIP() << "no seccomp notification here";
  }
  const Method& method() const { return *GetParam(); }

  // Every row of that meaning x every call of the method x both moments.
  void for_each(Meaning meaning,
                const std::function<void(const ErrnoRow&, const std::function<Ends()>&,
                                         const MovingCall&, When)>& visit) {
    const int calls = for_each_call(method(), [&](const auto& make, const MovingCall& call) {
      const bool appends = ::fcntl(make().destination.ref().number(), F_GETFL) & O_APPEND;
      for (const ErrnoRow& row : errno_table()) {
        SCOPED_TRACE(row.name);
        const Error error{{row.number, std::system_category()}, "any"};
        if (meaning_of(error, appends) != meaning) continue;
        for (const When when : moments) {
          if (when == When::after_some_bytes && !call.counts) continue;
          SCOPED_TRACE(when == When::first_call ? "at the first call" : "after some bytes");
          visit(row, make, call, when);
        }
      }
    });
    if (calls == 0 && method().path_class == PathClass::shared) {
      GTEST_SKIP() << "no file system with shared extents can be mounted here";
    }
    EXPECT_GT(calls, 0) << "no call of this method is in moving_calls.hpp";
  }
};

TEST_P(DeniedErrno, FinalOnesFailWithTheirErrnoAndExactCounts) {
  for_each(Meaning::final,
           [&](const ErrnoRow& row, const auto& make, const MovingCall& call, When when) {
             Ends ends = make();
             const auto denials = denials_for(denied(call.number, row.number), call, ends, when);
             const Seen seen = attempt(std::move(ends), denials, before_all_others(method()));
             EXPECT_EQ(seen.outcome, Outcome::failed);
             EXPECT_EQ(seen.last_errno, row.number);
             EXPECT_EQ(seen.legs, 1) << "no other method is tried";
           });
}

TEST_P(DeniedErrno, NotOfferedOnesAreRefusedLoudlyWhereNoOtherMethodIsAllowed) {
  for_each(Meaning::not_offered,
           [&](const ErrnoRow& row, const auto& make, const MovingCall& call, When when) {
             Ends ends = make();
             const auto denials = denials_for(denied(call.number, row.number), call, ends, when);
             const Seen seen = attempt(std::move(ends), denials, alone(method()));
             if (seen.outcome == Outcome::complete) {
               EXPECT_EQ(seen.bytes, content_size) << "the method has another way, and took it";
               return;
             }
             EXPECT_EQ(seen.last_errno, row.number);
             EXPECT_EQ(seen.outcome, seen.stranded == 0 ? Outcome::refused : Outcome::failed);
           });
}

TEST_P(DeniedErrno, NotOfferedOnesLetTheNextMethodGoOnFromTheExactPlace) {
  for_each(Meaning::not_offered,
           [&](const ErrnoRow& row, const auto& make, const MovingCall& call, When when) {
             std::vector<Wishes> all{before_all_others(method())};
             if (leads(method(), make())) all.push_back(Wishes{});
             for (const Wishes& wishes : all) {
               Ends ends = make();
               const auto denials = denials_for(denied(call.number, row.number), call, ends, when);
               const Seen seen = attempt(std::move(ends), denials, wishes);
               if (seen.stranded > 0) {
                 EXPECT_EQ(seen.outcome, Outcome::failed);
                 EXPECT_EQ(seen.last_errno, row.number);
               } else if (method().path_class > PathClass::user) {
                 EXPECT_EQ(seen.outcome, Outcome::complete);
                 EXPECT_EQ(seen.bytes, content_size);
                 EXPECT_EQ(seen.refused_errno, row.number);
               } else if (seen.outcome != Outcome::complete) {
                 EXPECT_EQ(seen.last_errno, row.number);
               }
             }
           });
}

TEST_P(DeniedErrno, OnesThatPassAreTriedAgain) {
  for_each(Meaning::try_again,
           [&](const ErrnoRow& row, const auto& make, const MovingCall& call, When when) {
             Ends ends = make();
             const auto denial = denied(call.number, row.number).between(1, 4);
             const auto denials = denials_for(denial, call, ends, when);
             const Seen seen = attempt(std::move(ends), denials, alone(method()));
             EXPECT_EQ(seen.outcome, Outcome::complete);
             EXPECT_EQ(seen.bytes, content_size);
             EXPECT_EQ(seen.legs, 1);
           });
}

TEST_P(DeniedErrno, OnesThatDoNotPassEndWithTheIdleTimeout) {
  constexpr std::chrono::milliseconds soon{30};
  for_each(Meaning::try_again,
           [&](const ErrnoRow& row, const auto& make, const MovingCall& call, When when) {
             Ends ends = make();
             const auto denials = denials_for(denied(call.number, row.number), call, ends, when);
             const Seen seen = attempt(std::move(ends), denials, alone(method()), soon);
             EXPECT_EQ(seen.outcome, Outcome::failed);
             EXPECT_EQ(seen.last_errno, ETIMEDOUT);
           });
}

INSTANTIATE_TEST_SUITE_P(All, DeniedErrno,
                         ::testing::ValuesIn(all_methods().begin(), all_methods().end()),
                         [](const auto& method) { return std::string(method.param->name); });

}  // namespace
}  // namespace headrace::testing
