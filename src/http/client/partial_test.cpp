#include "http/client/partial.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "support/must.hpp"
#include "support/temporary.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::client {
namespace {

namespace fs = std::filesystem;
using headrace::testing::TemporaryFolder;
using Names = std::set<std::string>;

const PartialRecord example{.url = "http://h/f", .validator = R"("v")", .total = 10};

class PartialOf : public ::testing::Test {
 protected:
  [[nodiscard]] Placed<Partial> open(const std::string& name = "f", bool may_replace = true) const {
    auto destination = find_destination(folder_ / name, {});
    if (!destination) return std::unexpected(destination.error());
    return Partial::open(std::move(*destination), may_replace);
  }

  /// A part as an interrupted download leaves it.
  void leave_part(std::string_view content, const std::string& record = to_json(example)) const {
    (void)folder_.file("f.part", content);
    (void)folder_.file("f.part.json", record);
  }

  [[nodiscard]] std::string content(std::string_view name) const {
    return headrace::testing::read_all(folder_ / name);
  }

  [[nodiscard]] Names names() const {
    Names found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      found.insert(entry.path().filename());
    }
    return found;
  }

  [[nodiscard]] std::string_view reason_of_refusal() const {
    const auto partial = open();
    return partial ? "" : partial.error().reason.code;
  }

  TemporaryFolder folder_;  // NOLINT(*-non-private-member-variables-in-classes): a fixture's
};

void put(const Partial& partial, std::string_view text) {
  ASSERT_EQ(sys::write(partial.file(), std::as_bytes(std::span(text))), text.size());
}

TEST_F(PartialOf, ANewFileChangesNothingUntilItBegins) {
  const auto partial = open();
  ASSERT_TRUE(partial.has_value());
  EXPECT_EQ(partial->have(), 0U);
  EXPECT_EQ(partial->record(), std::nullopt);
  EXPECT_EQ(names(), Names{});
}

TEST_F(PartialOf, ANewFileBecomesItAtTheCommit) {
  auto partial = open();
  ASSERT_TRUE(partial.has_value());
  ASSERT_TRUE(partial->begin(example).has_value());
  put(*partial, "content");
  EXPECT_EQ(names(), (Names{"f.part", "f.part.json"}));
  EXPECT_EQ(parse_record(content("f.part.json")), example);
  ASSERT_TRUE(partial->commit().has_value());
  EXPECT_EQ(content("f"), "content");
  EXPECT_EQ(names(), Names{"f"});
}

TEST_F(PartialOf, AnOldFileLeavesItWhatItIsAndKeepsItsMode) {
  const fs::path file = folder_.file("f", "old");
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  auto partial = open();
  ASSERT_TRUE(partial.has_value());
  ASSERT_TRUE(partial->begin(example).has_value());
  put(*partial, "new");
  EXPECT_EQ(content("f"), "old");
  ASSERT_TRUE(partial->commit().has_value());
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(fs::status(file).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST_F(PartialOf, AnInterruptedDownloadIsFoundAgainAndContinued) {
  leave_part("01234");
  auto partial = open();
  ASSERT_TRUE(partial.has_value());
  EXPECT_EQ(partial->have(), 5U);
  EXPECT_EQ(partial->record(), example);
  ASSERT_TRUE(partial->go_on(example).has_value());
  put(*partial, "56789");
  ASSERT_TRUE(partial->commit().has_value());
  EXPECT_EQ(content("f"), "0123456789");
  EXPECT_EQ(names(), Names{"f"});
}

TEST_F(PartialOf, AnInterruptedDownloadCanBeginAnew) {
  leave_part("something else");
  auto partial = open();
  ASSERT_TRUE(partial.has_value());
  PartialRecord other = example;
  other.validator = R"("w")";
  ASSERT_TRUE(partial->begin(other).has_value());
  EXPECT_EQ(partial->have(), 0U);
  put(*partial, "new");
  EXPECT_EQ(content("f.part"), "new");
  EXPECT_EQ(parse_record(content("f.part.json")), other);
}

TEST_F(PartialOf, ARecordCutOffInTheMiddleIsOursAndTellsNothing) {
  leave_part("01234", R"({"url": "http://h)");
  const auto partial = open();
  ASSERT_TRUE(partial.has_value());
  EXPECT_EQ(partial->have(), 5U);
  EXPECT_EQ(partial->record(), std::nullopt);
}

TEST_F(PartialOf, AFileOfTheUsersIsLeftAlone) {
  (void)folder_.file("f.part", "mine");
  EXPECT_EQ(reason_of_refusal(), partial_not_ours.code);
  EXPECT_EQ(content("f.part"), "mine");
}

TEST_F(PartialOf, AnEmptyPartNeedsNoRecord) {
  (void)folder_.file("f.part", "");
  auto partial = open();
  ASSERT_TRUE(partial.has_value());
  EXPECT_TRUE(partial->begin(example).has_value());
}

TEST_F(PartialOf, APartWhoseRecordIsNoFileIsLeftAlone) {
  (void)folder_.file("f.part", "mine");
  fs::create_directory(folder_ / "f.part.json");
  EXPECT_EQ(reason_of_refusal(), partial_not_ours.code);
  fs::remove(folder_ / "f.part.json");
  ASSERT_EQ(::mkfifo((folder_ / "f.part.json").c_str(), 0600), 0);
  EXPECT_EQ(reason_of_refusal(), partial_not_ours.code);
  fs::remove(folder_ / "f.part.json");
  fs::create_symlink("elsewhere", folder_ / "f.part.json");
  EXPECT_EQ(reason_of_refusal(), partial_not_ours.code);
  EXPECT_EQ(content("f.part"), "mine");
}

TEST_F(PartialOf, WhatIsNoRegularFileIsLeftAlone) {
  (void)folder_.file("elsewhere", "mine");
  fs::create_symlink("elsewhere", folder_ / "f.part");
  EXPECT_FALSE(open().has_value());
  fs::remove(folder_ / "f.part");
  ASSERT_EQ(::mkfifo((folder_ / "f.part").c_str(), 0600), 0);
  EXPECT_EQ(reason_of_refusal(), partial_not_ours.code);
  fs::remove(folder_ / "f.part");
  fs::create_directory(folder_ / "f.part");
  EXPECT_FALSE(open().has_value());
  EXPECT_EQ(content("elsewhere"), "mine");
}

TEST_F(PartialOf, ARecordThatIsALinkIsNotFollowed) {
  (void)folder_.file("elsewhere", "mine");
  fs::create_symlink("elsewhere", folder_ / "f.part.json");
  auto partial = open();
  ASSERT_TRUE(partial.has_value());
  EXPECT_FALSE(partial->begin(example).has_value());
  EXPECT_EQ(content("elsewhere"), "mine");
}

TEST_F(PartialOf, OneDownloadKeepsAnotherOut) {
  auto first = open();
  ASSERT_TRUE(first.has_value());
  auto late = open();  // before the first has made its file
  ASSERT_TRUE(late.has_value());
  ASSERT_TRUE(first->begin(example).has_value());
  put(*first, "01234");
  EXPECT_EQ(reason_of_refusal(), partial_in_use.code);
  const auto begun = late->begin(example);
  ASSERT_FALSE(begun.has_value());
  EXPECT_EQ(begun.error().reason, partial_in_use);
  ASSERT_TRUE(first->commit().has_value());
  EXPECT_EQ(content("f"), "01234");
}

TEST_F(PartialOf, AFileThatIsAPartIsCopiedAndStays) {
  const fs::path file = folder_.file("f", "0123456789");
  auto partial = open();
  ASSERT_TRUE(partial.has_value());
  const auto source = headrace::testing::open_file(file, O_RDONLY);
  ASSERT_TRUE(partial->begin_with(example, source.ref(), 5).has_value());
  EXPECT_EQ(partial->have(), 5U);
  put(*partial, "abc");
  EXPECT_EQ(content("f"), "0123456789");
  ASSERT_TRUE(partial->commit().has_value());
  EXPECT_EQ(content("f"), "01234abc");
}

TEST_F(PartialOf, AFailedDownloadStaysUnlessItIsEmpty) {
  {
    auto partial = open();
    ASSERT_TRUE(partial.has_value());
    ASSERT_TRUE(partial->begin(example).has_value());
    EXPECT_EQ(partial->leave(), 0U);
    EXPECT_EQ(names(), Names{});
  }
  auto partial = open();
  ASSERT_TRUE(partial.has_value());
  ASSERT_TRUE(partial->begin(example).has_value());
  put(*partial, "01");
  EXPECT_EQ(partial->leave(), 2U);
  EXPECT_EQ(names(), (Names{"f.part", "f.part.json"}));
}

TEST_F(PartialOf, ANameOfTheServersReplacesNothing) {
  (void)folder_.file("f", "mine");
  const auto refused = open("f", false);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().reason, destination_exists);
  EXPECT_EQ(content("f"), "mine");
}

TEST_F(PartialOf, ANameOfTheServersReplacesNothingThatCameMeanwhile) {
  auto partial = open("f", false);
  ASSERT_TRUE(partial.has_value());
  ASSERT_TRUE(partial->begin(example).has_value());
  put(*partial, "new");
  (void)folder_.file("f", "mine");
  const auto committed = partial->commit();
  ASSERT_FALSE(committed.has_value());
  EXPECT_EQ(committed.error().reason, destination_exists);
  EXPECT_EQ(content("f"), "mine");
  EXPECT_EQ(content("f.part"), "new");
  fs::remove(folder_ / "f");
  ASSERT_TRUE(partial->commit().has_value());
  EXPECT_EQ(names(), Names{"f"});
}

TEST_F(PartialOf, AnythingButAFileThatCameMeanwhileIsLeftAlone) {
  auto partial = open();
  ASSERT_TRUE(partial.has_value());
  ASSERT_TRUE(partial->begin(example).has_value());
  put(*partial, "new");
  fs::create_directory(folder_ / "f");
  const auto committed = partial->commit();
  ASSERT_FALSE(committed.has_value());
  EXPECT_EQ(committed.error().reason, destination_changed);
  EXPECT_EQ(content("f.part"), "new");
}

TEST_F(PartialOf, AFileWithTheLongestNameHasAPartBesideIt) {
  const std::string name(255, 'x');
  auto partial = open(name);
  ASSERT_TRUE(partial.has_value());
  ASSERT_TRUE(partial->begin(example).has_value());
  put(*partial, "new");
  ASSERT_TRUE(partial->commit().has_value());
  EXPECT_EQ(names(), Names{name});
}

}  // namespace
}  // namespace headrace::http::client
