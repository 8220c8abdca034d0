// Whatever stands around a file, its bytes reach the socket by the kernel: held here against the
// calls that were made, since a report could be wrong.

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "http/client/http_testing.hpp"
#include "http/client/put.hpp"
#include "support/temporary.hpp"

namespace {

/// Bytes by system call, on the thread that watches.
struct Calls {
  headrace::Bytes sendfile = 0;
  headrace::Bytes spliced_in = 0;   // out of the file
  headrace::Bytes spliced_out = 0;  // to the socket
  headrace::Bytes read = 0;         // of the file
  headrace::Bytes sent = 0;         // by send, sendmsg or write, to anything
};
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): libc's functions have no other
// way
thread_local Calls* watched = nullptr;
thread_local int watched_file = -1;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void count(ssize_t moved, headrace::Bytes Calls::* sum) {
  if (watched != nullptr && moved > 0) watched->*sum += static_cast<headrace::Bytes>(moved);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// The program's own definitions stand before libc's.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc's are not for people
extern "C" {

ssize_t sendfile(int destination, int source, off_t* offset, size_t bytes) noexcept {
  static const auto real = next<ssize_t(int, int, off_t*, size_t)>("sendfile");
  const ssize_t moved = real(destination, source, offset, bytes);
  count(moved, &Calls::sendfile);
  return moved;
}

ssize_t splice(int source, off64_t* from, int destination, off64_t* to, size_t bytes,
               unsigned flags) {
  static const auto real = next<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>("splice");
  const ssize_t moved = real(source, from, destination, to, bytes, flags);
  count(moved, source == watched_file ? &Calls::spliced_in : &Calls::spliced_out);
  return moved;
}

ssize_t pread(int source, void* room, size_t bytes, off_t offset) {
  static const auto real = next<ssize_t(int, void*, size_t, off_t)>("pread");
  const ssize_t moved = real(source, room, bytes, offset);
  count(moved, &Calls::read);
  return moved;
}

ssize_t read(int source, void* room, size_t bytes) {
  static const auto real = next<ssize_t(int, void*, size_t)>("read");
  const ssize_t moved = real(source, room, bytes);
  if (source == watched_file) count(moved, &Calls::read);
  return moved;
}

ssize_t send(int destination, const void* bytes, size_t size, int flags) {
  static const auto real = next<ssize_t(int, const void*, size_t, int)>("send");
  const ssize_t moved = real(destination, bytes, size, flags);
  count(moved, &Calls::sent);
  return moved;
}

ssize_t sendmsg(int destination, const msghdr* message, int flags) {
  static const auto real = next<ssize_t(int, const msghdr*, int)>("sendmsg");
  const ssize_t moved = real(destination, message, flags);
  count(moved, &Calls::sent);
  return moved;
}

ssize_t write(int destination, const void* bytes, size_t size) {
  static const auto real = next<ssize_t(int, const void*, size_t)>("write");
  const ssize_t moved = real(destination, bytes, size);
  count(moved, &Calls::sent);
  return moved;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

namespace headrace::http::client {
namespace {

using headrace::testing::open_file;
using headrace::testing::random_bytes;
using headrace::testing::TemporaryFolder;

constexpr std::size_t size = 300'000;  // more than what is copied with its head
constexpr Bytes cut = 200'000;

/// What may stand around a body. Where other clients had a reader that must not be closed, a body
/// of ours borrows its descriptor in any case: nothing has to be said.
struct Wrapper {
  std::string_view name;
  Body (*around)(Body);
};
constexpr std::array wrappers{
    Wrapper{"limited", [](Body body) { return limited(std::move(body), cut); }},
    Wrapper{"observed", [](Body body) { return observed(std::move(body), [](Bytes) {}); }},
    Wrapper{"paced", [](Body body) { return paced(std::move(body), gibibyte); }},
    Wrapper{"kept open", [](Body body) { return body; }}};

using Nest = std::vector<const Wrapper*>;

std::vector<Nest> nests() {
  std::vector<Nest> all;
  for (const Wrapper& first : wrappers) {
    for (const Wrapper& second : wrappers) {
      all.push_back({&first, &second});
      for (const Wrapper& third : wrappers) all.push_back({&first, &second, &third});
    }
  }
  return all;
}

std::string text_of(const Nest& nest) {
  std::string text = "file";
  for (const Wrapper* wrapper : nest) text.append(" ").append(wrapper->name);
  return text;
}

Body wrapped(Body body, const Nest& nest) {
  for (const Wrapper* wrapper : nest) body = wrapper->around(std::move(body));
  return body;
}

bool is_limited(const Nest& nest) {
  return std::ranges::find(nest, std::string_view("limited"),
                           [](const Wrapper* wrapper) { return wrapper->name; }) != nest.end();
}

class Bodies : public ::testing::Test {
 protected:
  Result<Report> put_counted(const Body& body, const Wishes& wishes) {
    PutOptions options;
    options.transfer.wishes = wishes;
    options.transfer.fallback_contract = Contract::guarded;
    calls_ = {};
    received_.clear();
    watched = &calls_;
    watched_file = file_.ref().number();
    auto report = put(client_, server_.url("/f"), body, options);
    watched = nullptr;
    return report;
  }

  void serve(testing::ServerEnd end) {
    for (std::string head = end.head(); !head.empty(); head = end.head()) {
      const auto length = head.find("Content-Length: ");
      if (length != std::string::npos) received_ = end.body(std::stoull(head.substr(length + 16)));
      end.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
    }
  }

  const std::string content_ = random_bytes(size);
  TemporaryFolder folder_;
  Descriptor file_ = open_file(folder_.file("f", content_), O_RDONLY);
  Calls calls_;
  std::string received_;  // written by the server before it answers, read after that
  testing::HttpServer server_{[this](testing::ServerEnd end) { serve(std::move(end)); }};
  Client client_{Settings{}};
};

TEST_F(Bodies, ReachTheKernelThroughEveryPairAndTripleOfWrappers) {
  const auto all = nests();
  ASSERT_EQ(all.size(), 80U);
  for (const Nest& nest : all) {
    SCOPED_TRACE(text_of(nest));
    const auto report =
        put_counted(wrapped(body_of(file_.ref()), nest), {.require = PathClass::kernel});
    ASSERT_TRUE(report);
    ASSERT_EQ(report->outcome, Outcome::complete);
    const std::string expected = content_.substr(0, is_limited(nest) ? cut : size);
    EXPECT_EQ(received_, expected);
    EXPECT_EQ(calls_.sendfile + calls_.spliced_out, expected.size());
    EXPECT_EQ(calls_.sendfile + calls_.spliced_in, expected.size());
    EXPECT_EQ(calls_.read, 0U);
    EXPECT_EQ(calls_.sent, report->head_bytes);
    EXPECT_EQ(class_of(*report), PathClass::kernel);
    EXPECT_GE(::fcntl(file_.ref().number(), F_GETFD), 0) << "left open";
  }
}

TEST_F(Bodies, GoBySendfileWhereItIsNamed) {
  for (const Nest& nest : nests()) {
    SCOPED_TRACE(text_of(nest));
    const auto report = put_counted(wrapped(body_of(file_.ref()), nest), {.methods = {"sendfile"}});
    ASSERT_TRUE(report);
    ASSERT_EQ(report->outcome, Outcome::complete);
    EXPECT_EQ(calls_.sendfile, received_.size());
    EXPECT_EQ(received_.size(), is_limited(nest) ? cut : size);
    EXPECT_EQ(calls_.sent, report->head_bytes);
  }
}

TEST_F(Bodies, ThatMustBeSeenAreRefusedWithTheirReason) {
  for (const Nest& nest : nests()) {
    SCOPED_TRACE(text_of(nest));
    const Body body = wrapped(
        hashed(wrapped(body_of(file_.ref()), nest), [](std::span<const std::byte>) {}), nest);
    const auto report = put_counted(body, {.require = PathClass::kernel});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->outcome, Outcome::refused);
    EXPECT_TRUE(std::ranges::any_of(
        report->refused, [](const Refusal& refusal) { return refusal.reason == body_is_hashed; }));
    EXPECT_EQ(calls_.sent + calls_.sendfile + calls_.spliced_out + calls_.read, 0U);
  }
}

TEST_F(Bodies, OfSeveralPiecesHaveOneLength) {
  const std::string before = "--x\r\n\r\n";
  const std::string after = "\r\n--x--";
  Body body;
  body.pieces = {Piece{.source = Memory{std::as_bytes(std::span(before))}, .excepted = true},
                 Piece{.source = Plain{file_.ref()}, .offset = 1000, .length = 100'000},
                 Piece{.source = Plain{file_.ref()}, .offset = 0, .length = 150'000},
                 Piece{.source = Memory{std::as_bytes(std::span(after))}, .excepted = true}};
  const auto report = put_counted(body, {.require = PathClass::kernel});
  ASSERT_TRUE(report);
  ASSERT_EQ(report->outcome, Outcome::complete);
  EXPECT_EQ(received_,
            before + content_.substr(1000, 100'000) + content_.substr(0, 150'000) + after);
  EXPECT_EQ(calls_.sendfile + calls_.spliced_out, 250'000U);
  EXPECT_EQ(calls_.sent, report->head_bytes + before.size() + after.size());
}

TEST_F(Bodies, OfUnknownLengthAmongOthersHaveNone) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const Descriptor reader(ends[0]);
  const Descriptor writer(ends[1]);
  Body body = body_of(reader.ref());
  body.pieces.push_back(body_of(file_.ref()).pieces.front());
  const auto report = put_counted(body, {});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().code.message().find("length"), std::string::npos);
  EXPECT_EQ(calls_.sent, 0U);
}

TEST_F(Bodies, LeaveThePositionAlone) {
  ASSERT_EQ(::lseek(file_.ref().number(), 1000, SEEK_SET), 1000);
  const auto report = put_counted(body_of(file_.ref()), {});
  ASSERT_TRUE(report);
  EXPECT_EQ(received_, content_.substr(1000));
  EXPECT_EQ(::lseek(file_.ref().number(), 0, SEEK_CUR), 1000);
}

TEST_F(Bodies, UpToTheLimitGoWithTheirHeadInOneCall) {
  const auto report = put_counted(limited(body_of(file_.ref()), 1000), {});
  ASSERT_TRUE(report);
  EXPECT_EQ(received_, content_.substr(0, 1000));
  EXPECT_EQ(calls_.read, 1000U);
  EXPECT_EQ(calls_.sent, report->head_bytes + 1000);
  EXPECT_EQ(report->contract, Contract::stable);
}

}  // namespace
}  // namespace headrace::http::client
