#include <sys/socket.h>

#include "methods/read_write/engine.hpp"
#include "transfer/transfer_testing.hpp"

namespace headrace {
namespace {

using testing::connected_tcp;
using testing::Drain;
using testing::file_holding;
using testing::Mode;
using testing::random_bytes;
using testing::read_all;
using transfer_testing::methods_of;
using transfer_testing::move;
using transfer_testing::Names;
using transfer_testing::only;

Memory memory_of(std::string_view text) { return {std::as_bytes(std::span(text))}; }

void end(const Descriptor& socket) {
  testing::must(::shutdown(socket.ref().number(), SHUT_WR), "shutdown");
}

Options requiring_kernel() {
  Options options;
  options.wishes.require = PathClass::kernel;
  return options;
}

/// Ranges of a file, each behind a head, and a last line: an answer of several parts.
struct Parts {
  explicit Parts(bool excepted) {
    body.pieces = {{memory_of("--a\r\n"), {}, {}, excepted},
                   {Plain{file.ref()}, 0, 100'000},
                   {memory_of("--b\r\n"), {}, {}, excepted},
                   {Plain{file.ref()}, 150'000, 50'000},
                   {memory_of("--"), {}, {}, excepted}};
  }
  [[nodiscard]] std::string expected() const {
    return "--a\r\n" + content.substr(0, 100'000) + "--b\r\n" + content.substr(150'000) + "--";
  }

  std::string content = random_bytes(200'000);
  Descriptor file = file_holding(content);
  Body body;
};

TEST(TransferPieces, OfMemoryStandBetweenThoseOfDescriptors) {
  const Parts parts(true);
  const testing::Pair pair = connected_tcp(Mode::nonblocking);
  Drain peer(pair.far);
  const Report report = move(parts.body, pair.near, requiring_kernel());
  end(pair.near);
  EXPECT_TRUE(peer.bytes() == parts.expected());
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.bytes, parts.expected().size());
  EXPECT_EQ(report.expected, report.bytes);
  EXPECT_EQ(methods_of(report), (Names{"memory", "sendfile", "memory", "sendfile", "memory"}));
  EXPECT_EQ(class_of(report), PathClass::kernel);
  for (const Leg& leg : report.legs) EXPECT_EQ(leg.excepted, leg.method->name == "memory");
}

TEST(TransferPieces, OfMemoryThatAreNotExceptedAreOfOurMemory) {
  const Parts parts(false);
  const testing::Pair pair = connected_tcp(Mode::nonblocking);
  const Drain peer(pair.far);
  EXPECT_EQ(class_of(move(parts.body, pair.near)), PathClass::user);
  const Report refused = move(parts.body, pair.near, requiring_kernel());
  EXPECT_EQ(refused.outcome, Outcome::refused);
  EXPECT_EQ(refused.bytes, 0U);
  EXPECT_EQ(refused.refused.front().method->name, "memory");
  EXPECT_EQ(refused.refused.front().reason, below_required_class);
}

TEST(TransferPieces, OfMemoryGoAnywhere) {
  const std::string content = random_bytes(300'000);
  const Body body{.pieces = {{memory_of(content), {}, {}}}};
  const Descriptor file = file_holding("");
  const Report report = move(body, file);
  EXPECT_EQ(report.bytes, content.size());
  EXPECT_EQ(report.contract, Contract::stable);
  EXPECT_TRUE(read_all(file) == content);

  auto pipe = testing::open_pipe();
  Drain peer(pipe.reader);
  EXPECT_EQ(move(body, pipe.writer).outcome, Outcome::complete);
  pipe.writer = {};
  EXPECT_TRUE(peer.bytes() == content);
}

TEST(TransferPieces, OfMemoryAreBoundLikeOthers) {
  const Descriptor destination = file_holding("");
  std::string seen;
  const Body body = hashed(limited({.pieces = {{memory_of("abcdef"), {}, {}}}}, 4),
                           [&](std::span<const std::byte> bytes) {
                             for (const std::byte byte : bytes) seen += static_cast<char>(byte);
                           });
  EXPECT_EQ(move(body, destination).bytes, 4U);
  EXPECT_EQ(read_all(destination), "abcd");
  EXPECT_EQ(seen, "abcd");
}

TEST(TransferPieces, ABodyWithoutBytesIsComplete) {
  const Descriptor destination = file_holding("");
  const Report report = move({.pieces = {{memory_of(""), {}, {}}}}, destination);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.bytes, 0U);
}

constexpr Reason framed{"body-is-framed", "for this test"};

/// Bytes that only an engine of the test's own may move.
struct Framed {
  Method method{
      .name = "frames",
      .path_class = PathClass::user,
      .refuse = [](const Facts&, const Facts&, const Wishes&) { return std::optional<Reason>{}; },
      .rank = [](const Facts&, const Facts&) { return 0; }};
  Descriptor file = file_holding("content");
  Body body{.pieces = {{.source = Plain{file.ref()},
                        .offset = 0,
                        .length = {},
                        .only_way = Way{.method = &method,
                                        .start = [](const Job& job) -> std::unique_ptr<Engine> {
                                          return std::make_unique<ReadWriteEngine>(job);
                                        }}}},
            .opaque = framed};
};

TEST(TransferPieces, WithOneWayOnlyGoByThat) {
  const Framed made;
  const Descriptor destination = file_holding("");
  const Report report = move(made.body, destination);
  EXPECT_EQ(methods_of(report), Names{"frames"});
  EXPECT_EQ(read_all(destination), "content");
  EXPECT_EQ(report.refused.size(), all_methods().size());
  for (const Refusal& refusal : report.refused) EXPECT_EQ(refusal.reason, framed);
}

TEST(TransferPieces, WithOneWayOnlyAreRefusedWhereAnotherIsWishedFor) {
  const Framed made;
  const Descriptor destination = file_holding("");
  for (const Options& options : {requiring_kernel(), only({"sendfile"})}) {
    const Report report = move(made.body, destination, options);
    EXPECT_EQ(report.outcome, Outcome::refused);
    EXPECT_TRUE(report.legs.empty());
  }
  EXPECT_EQ(read_all(destination), "");
}

}  // namespace
}  // namespace headrace
