#include "http/server/server.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "http/server/server_testing.hpp"
#include "support/temporary.hpp"
#include "transfer/guard_testing.hpp"

namespace headrace::http::server {
namespace {

using testing::random_bytes;

bool lease_is_due(const std::filesystem::path& path) {
  return guard_testing::lease_is_due(testing::open_file(path, O_RDONLY));
}

class ServerOf : public ::testing::Test {
 protected:
  Configuration configuration() const {
    Configuration configuration;
    configuration.directory = folder_.path();
    return configuration;
  }
  void write(std::string_view name, std::string_view content) const {
    [[maybe_unused]] const auto made = folder_.file(name, content);
  }
  std::string log_path() const { return logs_ / "access"; }
  std::string log() const { return testing::read_all(std::filesystem::path(log_path())); }

  testing::TemporaryFolder folder_;
  testing::TemporaryFolder logs_;
};

TEST_F(ServerOf, SendsASmallFileAndKeepsTheConnection) {
  write("f", "hello");
  RunningServer server{configuration()};
  RawClient client = server.client();
  const auto answer = client.ask(get("/f"));
  EXPECT_EQ(answer.head.status, 200);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.field("Accept-Ranges"), "bytes");
  EXPECT_FALSE(answer.field("Date").empty());
  EXPECT_EQ(client.ask(get("/f")).body, "hello");
}

TEST_F(ServerOf, SendsALargeFileByTheKernelAndSaysSoInTheLog) {
  const std::string content = random_bytes(3 * mebibyte + 17);
  write("f", content);
  {
    auto with_log = configuration();
    with_log.log = {.path = log_path(), .format = LogFormat::json};
    RunningServer server{with_log};
    RawClient client = server.client();
    EXPECT_EQ(client.ask(get("/f")).body, content);
    EXPECT_EQ(client.ask(get("/f", "Range: bytes=1000000-\r\n")).body, content.substr(1000000));
  }
  EXPECT_NE(log().find(R"("status":200,"bytes":3145745)"), std::string::npos) << log();
  EXPECT_NE(log().find(R"("class":"kernel")"), std::string::npos) << log();
}

bool keeps_a_removed_file() {
  const std::filesystem::directory_iterator open_files{"/proc/self/fd"};
  return std::ranges::any_of(open_files, [](const auto& entry) {
    std::error_code gone;
    return std::filesystem::read_symlink(entry, gone).native().ends_with("/lost (deleted)");
  });
}

TEST_F(ServerOf, ClosesAFileThatWasRemovedAlthoughNobodyAsksForIt) {
  write("lost", "hello");
  auto forgetful = configuration();
  forgetful.files_idle = std::chrono::milliseconds{20};
  RunningServer server{forgetful};
  RawClient client = server.client();
  EXPECT_EQ(client.ask(get("/lost")).body, "hello");
  std::filesystem::remove(folder_ / "lost");
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  while (keeps_a_removed_file() && std::chrono::steady_clock::now() < patience)
    std::this_thread::yield();
  EXPECT_FALSE(keeps_a_removed_file());
  EXPECT_EQ(client.ask(get("/lost")).head.status, 404);
}

TEST_F(ServerOf, SendsAFileWholeThatWasReplacedMeanwhile) {
  const std::string content = random_bytes(32 * mebibyte);
  write("f", content);
  if (!lease_is_due(folder_ / "f")) GTEST_SKIP() << "no leases here: the times decide";
  RunningServer server{configuration()};
  RawClient client = server.client();
  client.send(get("/f"));
  ASSERT_TRUE(client.has_begun());
  write("new", "new");
  std::filesystem::rename(folder_ / "new", folder_ / "f");
  EXPECT_EQ(client.answer().body, content);
  EXPECT_EQ(client.ask(get("/f")).body, "new");
}

TEST_F(ServerOf, SendsSeveralRangesBetweenTheirHeads) {
  const std::string content = random_bytes(200'000);
  write("f", content);
  RunningServer server{configuration()};
  RawClient client = server.client();
  const auto answer = client.ask(get("/f", "Range: bytes=0-9,100000-199998\r\n"));
  EXPECT_EQ(answer.head.status, 206);
  const std::string type = answer.field("Content-Type");
  const std::string boundary = type.substr(type.find('=') + 1);
  const auto part = [&](std::string_view range, std::string_view bytes) {
    return "\r\n--" + boundary +
           "\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes " +
           std::string(range) + "/200000\r\n\r\n" + std::string(bytes);
  };
  EXPECT_EQ(answer.body, part("0-9", content.substr(0, 10)) +
                             part("100000-199998", content.substr(100'000, 99'999)) + "\r\n--" +
                             boundary + "--\r\n");
  EXPECT_EQ(client.ask(get("/f")).body, content);
}

TEST_F(ServerOf, AnswersPipelinedRequestsInOrder) {
  write("a", "first");
  const std::string large = random_bytes(mebibyte);
  write("b", large);
  RunningServer server{configuration()};
  RawClient client = server.client();
  std::string requests = get("/a");
  for (int more = 0; more < 40; ++more) requests += get(more % 10 == 0 ? "/b" : "/a");
  client.send(requests);
  EXPECT_EQ(client.answer().body, "first");
  for (int more = 0; more < 40; ++more) {
    ASSERT_EQ(client.answer().body, more % 10 == 0 ? large : "first") << more;
  }
}

TEST_F(ServerOf, TakesAHeadInPieces) {
  write("f", "hello");
  RunningServer server{configuration()};
  RawClient client = server.client();
  for (const char byte : get("/f")) client.send({&byte, 1});
  EXPECT_EQ(client.answer().body, "hello");
}

TEST_F(ServerOf, AnswersHeadWithoutABodyAndGoesOn) {
  write("f", "hello");
  RunningServer server{configuration()};
  RawClient client = server.client();
  client.send("HEAD /f HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto answer = client.answer(false);
  EXPECT_EQ(answer.field("Content-Length"), "5");
  EXPECT_EQ(client.ask(get("/f")).body, "hello");
}

TEST_F(ServerOf, RefusesAHeadThatIsNoneAndEndsTheConnection) {
  RunningServer server{configuration()};
  RawClient client = server.client();
  const auto answer = client.ask("GET / HTTP/1.1\r\nHost: localhost\r\nBad Field: x\r\n\r\n");
  EXPECT_EQ(answer.head.status, 400);
  EXPECT_EQ(answer.field("Connection"), "close");
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerOf, EndsAConnectionWhoseRequestBodyNobodyReads) {
  RunningServer server{configuration()};
  RawClient client = server.client();
  client.send("PUT /f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n");
  client.send(std::string(200'000, 'Z'));
  EXPECT_EQ(client.answer().head.status, 405);
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerOf, ListsADirectory) {
  write("name", "");
  RunningServer server{configuration()};
  const auto answer = server.client().ask(get("/", "Accept: application/json\r\n"));
  EXPECT_EQ(answer.field("Content-Type"), "application/json");
  EXPECT_NE(answer.body.find(R"("name":"name")"), std::string::npos) << answer.body;
}

TEST_F(ServerOf, StoresAnUploadAndServesItAtOnce) {
  auto with_upload = configuration();
  with_upload.uploads = Uploads::stored;
  write("f", "old");
  RunningServer server{with_upload};
  RawClient client = server.client();
  EXPECT_EQ(client.ask(get("/f")).body, "old");
  const std::string put = "PUT /f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nnew";
  EXPECT_EQ(client.ask(put + get("/f")).head.status, 204);
  EXPECT_EQ(client.answer().body, "new");
}

TEST_F(ServerOf, AsksForABodyThatWaitsToBeAskedFor) {
  auto with_upload = configuration();
  with_upload.uploads = Uploads::stored;
  RunningServer server{with_upload};
  RawClient client = server.client();
  client.send(
      "PUT /f HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.answer().head.status, 100);
  client.send("5\r\nhello\r\n0\r\n\r\n" + get("/f"));
  EXPECT_EQ(client.answer().head.status, 201);
  EXPECT_EQ(client.answer().body, "hello");
}

TEST_F(ServerOf, ThrowsAnUploadAwayWhereThatIsWanted) {
  auto discarding = configuration();
  discarding.uploads = Uploads::discarded;
  RunningServer server{discarding};
  RawClient client = server.client();
  client.send("PUT /f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n");
  client.send(std::string(300'000, 'Z') + get("/f"));
  EXPECT_EQ(client.answer().head.status, 204);
  EXPECT_EQ(client.answer().head.status, 404);
}

TEST_F(ServerOf, LeavesAMessageIncompleteWhoseFileIsCutMeanwhile) {
  const Bytes size = 64 * mebibyte;
  const auto path = folder_.file("f", "");
  std::filesystem::resize_file(path, size);
  write("second", "second");
  RunningServer server{configuration()};
  RawClient client = server.client();
  client.send(get("/f") + get("/second"));
  const auto head = client.answer(false);
  ASSERT_EQ(head.field("Content-Length"), std::to_string(size));
  std::filesystem::resize_file(path, mebibyte);
  const std::string rest = client.rest();
  EXPECT_LT(rest.size(), size);
  EXPECT_EQ(rest.find("second"), std::string::npos);
  EXPECT_EQ(server.client().ask(get("/second")).body, "second");
}

TEST_F(ServerOf, AnswersWithoutAWayThatWasAskedForByAnError) {
  write("f", "hello");
  auto strict = configuration();
  strict.wishes.require = PathClass::shared;
  strict.log.path = log_path();
  {
    RunningServer server{strict};
    EXPECT_EQ(server.client().ask(get("/f")).head.status, 500);
  }
  EXPECT_NE(log().find("below-required-class"), std::string::npos) << log();
}

TEST_F(ServerOf, TakesTheKernelsPathAtAnySizeWhereItIsAskedFor) {
  write("f", "hello");
  auto strict = configuration();
  strict.wishes.require = PathClass::kernel;
  strict.log = {.path = log_path(), .format = LogFormat::json};
  {
    RunningServer server{strict};
    EXPECT_EQ(server.client().ask(get("/f")).body, "hello");
  }
  EXPECT_NE(log().find(R"("class":"kernel")"), std::string::npos) << log();
}

TEST_F(ServerOf, ReadsAndSendsWhereTheBytesMustStayWhatTheyAre) {
  const std::string content = random_bytes(300'000);
  write("f", content);
  auto stable = configuration();
  stable.wishes.contract = Contract::stable;
  RunningServer server{stable};
  EXPECT_EQ(server.client().ask(get("/f")).body, content);
}

TEST_F(ServerOf, TellsThatThereAreTooMany) {
  auto small = configuration();
  small.max_connections = 1;
  write("f", "hello");
  RunningServer server{small};
  RawClient first = server.client();
  EXPECT_EQ(first.ask(get("/f")).head.status, 200);
  RawClient second = server.client();
  EXPECT_EQ(second.answer().head.status, 503);
  EXPECT_TRUE(second.ended());
  EXPECT_EQ(first.ask(get("/f")).head.status, 200);
}

TEST_F(ServerOf, EndsSilentConnections) {
  auto hasty = configuration();
  hasty.idle_timeout = std::chrono::milliseconds{100};
  hasty.head_timeout = std::chrono::milliseconds{100};
  RunningServer server{hasty};
  RawClient idle = server.client();
  RawClient late = server.client();
  late.send("GET / HTTP/1.1\r\n");
  EXPECT_TRUE(idle.ended());
  EXPECT_EQ(late.answer().head.status, 408);
  EXPECT_TRUE(late.ended());
}

TEST_F(ServerOf, DrainsAfterTheLastAnswer) {
  const std::string content = random_bytes(8 * mebibyte);
  write("f", content);
  RunningServer server{configuration()};
  RawClient idle = server.client();
  RawClient busy = server.client();
  EXPECT_EQ(idle.ask(get("/")).head.status, 200);
  busy.send(get("/f"));
  const auto head = busy.answer(false);
  server.server().drain();
  EXPECT_TRUE(idle.ended());
  EXPECT_EQ(busy.rest(), content);
  server.join();
}

TEST_F(ServerOf, FollowsLinksThatLeadOutOnlyWhereTheyAreTrusted) {
  std::filesystem::create_symlink(logs_.file("outside", "outside"), folder_ / "link");
  auto trusting = configuration();
  trusting.symlinks = Symlinks::any;
  RunningServer wary{configuration()};
  RunningServer trustful{trusting};
  EXPECT_EQ(wary.client().ask(get("/link")).head.status, 404);
  EXPECT_EQ(trustful.client().ask(get("/link")).body, "outside");
}

}  // namespace
}  // namespace headrace::http::server
