#include <sys/socket.h>

#include "support/deny.hpp"
#include "transfer/transfer_testing.hpp"

namespace headrace {
namespace {

using testing::connected_tcp;
using testing::Drain;
using testing::file_holding;
using testing::Mode;
using testing::random_bytes;
using transfer_testing::methods_of;
using transfer_testing::move;
using transfer_testing::Names;
using transfer_testing::only;

Memory memory_of(std::string_view text) { return {std::as_bytes(std::span(text))}; }

Options with_head(std::string_view head, Options options = {}) {
  options.head = std::as_bytes(std::span(head));
  return options;
}

/// What arrives at the peer of a TCP socket, and the report.
struct Sent {
  Sent(const Body& body, const Options& options) {
    Drain peer(pair.far);
    report = move(body, pair.near, options);
    testing::must(::shutdown(pair.near.ref().number(), SHUT_WR), "shutdown");
    bytes = peer.bytes();
  }
  testing::Pair pair = connected_tcp(Mode::nonblocking);
  Report report;
  std::string bytes;
};

TEST(TransferHead, GoesBeforeTheBodyByEveryMethod) {
  const std::string content = random_bytes(300'000);
  const Descriptor source = file_holding(content);
  const Body body = body_of(source.ref(), 0);
  for (const char* method : {"sendfile", "splice_pipe", "read_write", "send_zerocopy"}) {
    const Sent sent(body, with_head("HEAD ", only({method})));
    EXPECT_TRUE(sent.bytes == "HEAD " + content) << method;
    EXPECT_EQ(sent.report.outcome, Outcome::complete);
    EXPECT_EQ(sent.report.bytes, content.size()) << "the head is not of the body";
    EXPECT_EQ(sent.report.head_bytes, 5U);
    EXPECT_EQ(methods_of(sent.report), Names{method});
  }
}

TEST(TransferHead, LongerThanAnyBufferArrivesWhole) {
  const std::string head = random_bytes(9'000'000);
  const std::string content = random_bytes(300'000);
  const Descriptor source = file_holding(content);
  const Body body = body_of(source.ref(), 0);
  for (const char* method : {"sendfile", "read_write"}) {
    const Sent sent(body, with_head(head, only({method})));
    EXPECT_TRUE(sent.bytes == head + content) << method;
    EXPECT_EQ(sent.report.head_bytes, head.size());
    EXPECT_EQ(sent.report.bytes, content.size());
  }
  const Sent memory({.pieces = {{memory_of(content), {}, {}}}}, with_head(head));
  EXPECT_TRUE(memory.bytes == head + content);
}

TEST(TransferHead, WithoutABodyIsSent) {
  const Descriptor empty = file_holding("");
  for (const Body& body : {Body{}, body_of(empty.ref()), Body{.pieces = {{Memory{}, {}, {}}}}}) {
    const Sent sent(body, with_head("HEAD"));
    EXPECT_EQ(sent.bytes, "HEAD");
    EXPECT_EQ(sent.report.outcome, Outcome::complete);
    EXPECT_EQ(sent.report.head_bytes, 4U);
    EXPECT_EQ(sent.report.bytes, 0U);
  }
}

TEST(TransferHead, IsNotSentWhereTheBodyIsRefused) {
  const Descriptor source = file_holding("content");
  const Options options = with_head("HEAD", only({"reflink"}));
  const Sent sent(body_of(source.ref()), options);
  EXPECT_EQ(sent.report.outcome, Outcome::refused);
  EXPECT_EQ(sent.report.head_bytes, 0U);
  EXPECT_EQ(sent.bytes, "");
}

TEST(TransferHead, AndABodyThatIsCopiedAreOneSend) {
  const std::vector<testing::Denial> only_one{testing::denied(SYS_sendto, EPERM),
                                              testing::denied(SYS_sendmsg, EPERM).from(2)};
  const int status = testing::run_denied(only_one, [] {
    const Descriptor source = file_holding("content");
    Options options = with_head("HEAD ");
    options.copy_limit = 7;
    const Sent sent(body_of(source.ref(), 0), options);
    const bool told = sent.report.head_bytes == 5 && sent.report.legs.at(0).calls == 2;
    return told && sent.bytes == "HEAD content" ? 0 : 1;
  });
  if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

TEST(TransferHead, AndABodyOfMemoryAreOneSend) {
  const std::vector<testing::Denial> only_one{testing::denied(SYS_sendto, EPERM),
                                              testing::denied(SYS_sendmsg, EPERM).from(2)};
  const int status = testing::run_denied(only_one, [] {
    const Sent sent({.pieces = {{memory_of("content"), {}, {}}}}, with_head("HEAD "));
    return sent.bytes == "HEAD content" && sent.report.bytes == 7 ? 0 : 1;
  });
  if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

TEST(CopyLimit, HasShortBodiesCopiedAndStable) {
  const std::string content = random_bytes(40'000);
  const Descriptor source = file_holding(content);
  const auto by = [&](Bytes limit, Options options = {}) {
    options.copy_limit = limit;
    const Sent sent(body_of(source.ref(), 0), options);
    EXPECT_TRUE(sent.bytes == content);
    return sent.report;
  };
  const Report copied = by(40'000, {.fallback_contract = Contract::guarded});
  EXPECT_EQ(methods_of(copied), Names{"read_write"});
  EXPECT_EQ(copied.contract, Contract::stable);
  EXPECT_EQ(copied.evidence, Evidence::read);
  EXPECT_EQ(class_of(by(39'999)), PathClass::kernel);
  EXPECT_EQ(methods_of(by(40'000, only({"sendfile"}))), Names{"sendfile"});
  Options live;
  live.wishes.contract = Contract::live;
  EXPECT_EQ(class_of(by(40'000, live)), PathClass::kernel);
  Options kernel;
  kernel.wishes.require = PathClass::kernel;
  EXPECT_EQ(class_of(by(40'000, kernel)), PathClass::kernel);
}

TEST(CopyLimit, CountsAllPieces) {
  const Descriptor source = file_holding(random_bytes(100));
  const Body body{.pieces = {{memory_of("0123456789"), {}, {}, true},
                             {Plain{source.ref()}, 0, 40},
                             {Plain{source.ref()}, 50, 50}}};
  const auto class_under = [&](Bytes limit) {
    return class_of(Sent(body, {.copy_limit = limit}).report);
  };
  EXPECT_EQ(class_under(100), PathClass::user);
  EXPECT_EQ(class_under(99), PathClass::kernel);
}

TEST(CopyLimit, IsForSocketsAlone) {
  const Descriptor source = file_holding("content");
  const Descriptor destination = file_holding("");
  const Report report = move(body_of(source.ref(), 0), destination, {.copy_limit = 1'000});
  EXPECT_GT(class_of(report), PathClass::user);
}

}  // namespace
}  // namespace headrace
