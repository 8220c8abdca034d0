#include "http/server/upload.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <csignal>

#include "support/ends.hpp"
#include "support/temporary.hpp"

namespace headrace::http::server {
namespace {

namespace fs = std::filesystem;
using testing::random_bytes;
using testing::read_all;

constexpr BodyFraming chunked{.kind = BodyFraming::Kind::chunked};
BodyFraming length(Bytes bytes) { return {.kind = BodyFraming::Kind::length, .length = bytes}; }

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}
std::string text_of(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += static_cast<char>(byte);
  return text;
}

class UploadOf : public ::testing::Test {
 protected:
  using Begun = Taken<std::unique_ptr<Upload>>;

  [[nodiscard]] Begun begin(const std::string& path, BodyFraming framing,
                            std::string_view ahead = {}, Configuration configuration = {}) const {
    configuration.directory = folder_.path();
    const auto site = Site::open(configuration);
    if (!site) return std::unexpected(Rejection{0, "the site cannot be opened"});
    return Upload::begin(*site, configuration, {path, framing, bytes_of(ahead)});
  }

  /// Begins, has the rest of the body come from a peer that then ends, and finishes.
  Taken<Upload::Stored> put(const std::string& path, BodyFraming framing, std::string_view ahead,
                            std::string rest, const Configuration& configuration = {}) {
    auto upload = begin(path, framing, ahead, configuration);
    if (!upload) return std::unexpected(upload.error());
    auto pair = testing::connected_unix();
    const testing::Feed feed(std::move(pair.far), std::move(rest));
    auto report =
        transfer((*upload)->body(pair.near.ref()), (*upload)->destination(), (*upload)->options());
    if (!report) return std::unexpected(Rejection{0, "not started"});
    report_ = *report;
    auto stored = (*upload)->finish(*report);
    surplus_ = text_of((*upload)->surplus());
    return stored;
  }

  static int status(const Taken<Upload::Stored>& stored) {
    return stored ? stored->status : stored.error().status;
  }
  [[nodiscard]] std::string content(std::string_view name) const {
    return read_all(folder_ / name);
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      found.push_back(entry.path().filename());
    }
    std::ranges::sort(found);
    return found;
  }

  // NOLINTBEGIN(*-non-private-member-variables-in-classes): a fixture's
  testing::TemporaryFolder folder_;
  Report report_;
  std::string surplus_;
  // NOLINTEND(*-non-private-member-variables-in-classes)
};

TEST_F(UploadOf, ANewFileIsMadeAndAnOldOneReplaced) {
  EXPECT_EQ(status(put("/f", length(5), "", "first")), 201);
  EXPECT_EQ(content("f"), "first");
  EXPECT_EQ(status(put("/f", length(6), "", "second")), 204);
  EXPECT_EQ(content("f"), "second");
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
}

TEST_F(UploadOf, WhatWasReadWithTheHeadGoesFirstAndDoesNotLowerTheClass) {
  const std::string body = random_bytes(100'000);
  EXPECT_EQ(status(put("/f", length(100'000), body.substr(0, 1'000), body.substr(1'000))), 201);
  EXPECT_EQ(content("f"), body);
  EXPECT_EQ(class_of(report_), PathClass::kernel);
  EXPECT_EQ(surplus_, "");
}

TEST_F(UploadOf, WhatFollowsTheBodyIsTheNextRequests) {
  EXPECT_EQ(status(put("/f", length(5), "helloGET / HTTP/1.1", "")), 201);
  EXPECT_EQ(content("f"), "hello");
  EXPECT_EQ(surplus_, "GET / HTTP/1.1");
}

TEST_F(UploadOf, OfTheSocketNoMoreIsReadThanTheLength) {
  auto upload = begin("/f", length(5), "he");
  ASSERT_TRUE(upload);
  const auto pair = testing::connected_unix();
  ASSERT_EQ(::send(pair.far.ref().number(), "lloGET", 6, 0), 6);
  const auto report =
      transfer((*upload)->body(pair.near.ref()), (*upload)->destination(), (*upload)->options());
  ASSERT_TRUE(report);
  EXPECT_TRUE((*upload)->finish(*report));
  EXPECT_EQ(content("f"), "hello");
  std::array<char, 8> next{};
  EXPECT_EQ(::recv(pair.near.ref().number(), next.data(), next.size(), MSG_DONTWAIT), 3);
}

TEST_F(UploadOf, AnEmptyBodyNeedsNoTransfer) {
  auto upload = begin("/f", length(0), "GET");
  ASSERT_TRUE(upload);
  EXPECT_FALSE((*upload)->has_body());
  EXPECT_FALSE((*upload)->wants_more());
  EXPECT_EQ(text_of((*upload)->surplus()), "GET");
  const auto stored = (*upload)->finish({});
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->status, 201);
  EXPECT_EQ(content("f"), "");
}

TEST_F(UploadOf, ABodyInChunksIsStoredWithoutItsFraming) {
  EXPECT_EQ(status(put("/f", chunked, "5\r\nhel", "lo\r\n7\r\n, world\r\n0\r\n\r\nGET /")), 201);
  EXPECT_EQ(content("f"), "hello, world");
  EXPECT_EQ(surplus_, "GET /");
  EXPECT_EQ(class_of(report_), PathClass::user);
  const bool told = std::ranges::any_of(report_.refused, [](const Refusal& refusal) {
    return refusal.reason.code == "body-in-chunks";
  });
  EXPECT_TRUE(told);
}

TEST_F(UploadOf, ABodyThatIsNotWholeLeavesNothing) {
  static_cast<void>(folder_.file("old", "old"));
  for (const std::string name : {"/new", "/old"}) {
    EXPECT_EQ(status(put(name, length(12), "hello", ", wor")), 400) << name;
    EXPECT_EQ(status(put(name, length(12), "hello", "")), 400) << name;
    EXPECT_EQ(status(put(name, chunked, "5\r\nhello\r\n", "0\r\n")), 400) << name;
    EXPECT_EQ(status(put(name, chunked, "5\r\nhello!\r\n", "0\r\n\r\n")), 400) << name;
  }
  EXPECT_EQ(names(), std::vector<std::string>{"old"});
  EXPECT_EQ(content("old"), "old");
}

TEST_F(UploadOf, WhatIsToBeDiscardedMakesNoFile) {
  const Configuration configuration{.uploads = Uploads::discarded};
  EXPECT_EQ(status(put("/f", length(12), "hello", ", world", configuration)), 204);
  EXPECT_EQ(status(put("/f", chunked, "5\r\nhel", "lo\r\n0\r\n\r\n", configuration)), 204);
  EXPECT_EQ(status(put("/f", length(12), "hello", ", wor", configuration)), 400);
  EXPECT_EQ(names(), std::vector<std::string>{});
}

TEST_F(UploadOf, DestroyedInTheMiddleItLeavesNothing) {
  {
    const auto upload = begin("/f", length(1'000'000), "hello");
    ASSERT_TRUE(upload);
    EXPECT_EQ(names(), std::vector<std::string>{});
  }
  EXPECT_EQ(names(), std::vector<std::string>{});
}

TEST_F(UploadOf, OfTwoTheLastToFinishWinsWhole) {
  auto first = begin("/f", length(5), "first");
  auto second = begin("/f", length(6), "second");
  ASSERT_TRUE(first && second);
  const auto finish = [](Upload& upload) {
    const auto report = transfer(upload.body({}), upload.destination(), upload.options());
    return report && upload.finish(*report);
  };
  EXPECT_TRUE(finish(**second));
  EXPECT_EQ(content("f"), "second");
  EXPECT_TRUE(finish(**first));
  EXPECT_EQ(content("f"), "first");
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
}

TEST_F(UploadOf, MoreThanWhatIsTakenIsTooLarge) {
  const Configuration configuration{.max_upload = 5};
  EXPECT_EQ(status(put("/f", length(6), "", "sixsix", configuration)), 413);
  EXPECT_EQ(status(put("/f", length(5), "", "fives", configuration)), 201);
  EXPECT_EQ(status(put("/g", chunked, "", "3\r\nthr\r\n3\r\neee\r\n0\r\n\r\n", configuration)),
            413);
  EXPECT_EQ(status(put("/h", chunked, "", "5\r\nfives\r\n0\r\n\r\n", configuration)), 201);
  EXPECT_EQ(names(), (std::vector<std::string>{"f", "h"}));
}

TEST_F(UploadOf, ARequiredClassThatChunksCannotHaveIsRefused) {
  Configuration configuration;
  configuration.wishes.require = PathClass::kernel;
  EXPECT_EQ(status(put("/f", chunked, "", "5\r\nhello\r\n0\r\n\r\n", configuration)), 500);
  EXPECT_EQ(status(put("/f", length(5), "he", "llo", configuration)), 201);
  EXPECT_EQ(class_of(report_), PathClass::kernel);
}

TEST_F(UploadOf, AContractOfTheServersFilesIsNoneOfTheUploads) {
  Configuration configuration;
  configuration.wishes.contract = Contract::guarded;
  EXPECT_EQ(status(put("/f", length(5), "", "hello", configuration)), 201);
}

TEST_F(UploadOf, AFileWithOtherNamesIsNotPartedFromThem) {
  static_cast<void>(folder_.file("f", "old"));
  fs::create_hard_link(folder_ / "f", folder_ / "other");
  EXPECT_EQ(status(put("/f", length(3), "", "new")), 403);
  EXPECT_EQ(content("f"), "old");
}

// RLIMIT_FSIZE stands for a file system that takes no file so large.
TEST_F(UploadOf, AFileLargerThanAnyMayBeIsTooLargeBeforeItsBody) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{.rlim_cur = 100'000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto upload = begin("/f", length(200'000));
  const bool begun = upload.has_value();
  const auto chunks =
      put("/f", chunked, "", "30d40\r\n" + std::string(200'000, 'x') + "\r\n0\r\n\r\n");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_NE(std::signal(SIGXFSZ, handler), SIG_ERR);
  // Where the folder is on tmpfs nothing is reserved, and the write tells.
  if (!begun) {
    EXPECT_EQ(upload.error().status, 413);
  }
  EXPECT_EQ(status(chunks), 413);
  EXPECT_EQ(names(), std::vector<std::string>{});
}

}  // namespace
}  // namespace headrace::http::server
