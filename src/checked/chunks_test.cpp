#include "checked/chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/ends.hpp"
#include "support/temporary.hpp"

namespace headrace::checked {
namespace {

using headrace::testing::connected_unix;
using headrace::testing::file_holding;
using headrace::testing::Mode;

Moved sent(const Body& body, const Options& options = {}) {
  const auto pair = connected_unix(Mode::nonblocking);
  auto moved = send_chunks(body, pair.near.ref(), options);
  EXPECT_TRUE(moved);
  return moved ? std::move(*moved) : Moved{};
}

std::optional<Reason> reason_against(const Report& report, std::string_view method) {
  const auto found = std::ranges::find_if(
      report.refused, [&](const Refusal& refusal) { return refusal.method->name == method; });
  if (found == report.refused.end()) return std::nullopt;
  return found->reason;
}

TEST(Chunks, ReportTheMethodThatRan) {
  const Descriptor file = file_holding("hello");
  Options options;
  options.wishes.methods = {"mmap_read", "read_write"};
  const Report report = sent(body_of(file.ref(), 0), options).report;
  EXPECT_EQ(report.outcome, Outcome::complete);
  ASSERT_EQ(report.legs.size(), 1U);
  EXPECT_EQ(report.legs.front().method->name, "read_write");
  EXPECT_EQ(report.legs.front().copies_per_byte, 2U);
}

TEST(Chunks, RefuseEveryOtherMethod) {
  const Descriptor file = file_holding("hello");
  for (const Method* method : all_methods()) {
    if (method->name == "read_write") continue;
    Options options;
    options.wishes.methods = {std::string(method->name)};
    const Report report = sent(body_of(file.ref(), 0), options).report;
    EXPECT_EQ(report.outcome, Outcome::refused) << method->name;
    EXPECT_TRUE(report.legs.empty()) << method->name;
    EXPECT_TRUE(reason_against(report, method->name)) << method->name;
  }
  EXPECT_EQ(reason_against(sent(body_of(file.ref(), 0)).report, "sendfile"), body_in_chunks);
}

TEST(Chunks, CountTheCallsThatMoveBytes) {
  const Descriptor file = file_holding("hello");
  const Leg leg = sent(body_of(file.ref(), 0)).report.legs.at(0);
  EXPECT_EQ(leg.calls, 4U);  // the bytes and the end, in and out
}

/// Chunks to a peer that has gone.
Report sent_to_nobody(const Body& body) {
  auto pair = connected_unix();
  pair.far = {};
  auto moved = send_chunks(body, pair.near.ref(), {});
  EXPECT_TRUE(moved);
  return moved ? std::move(moved->report) : Report{};
}

TEST(Chunks, LoseOnlyWhatCannotBeReadAgain) {
  const Descriptor file = file_holding("hello");
  const Report again = sent_to_nobody(body_of(file.ref(), 0));
  EXPECT_EQ(again.outcome, Outcome::failed);
  EXPECT_EQ(again.stranded, 0U);
  const Report once = sent_to_nobody(body_of(file.ref()));
  EXPECT_EQ(once.outcome, Outcome::failed);
  EXPECT_EQ(once.stranded, 5U);
}

}  // namespace
}  // namespace headrace::checked
