#include "headrace/transfer.hpp"

#include <sys/syscall.h>

#include <cerrno>

#include "methods/support/reasons.hpp"
#include "support/deny.hpp"
#include "transfer/transfer_testing.hpp"

// Legs, positions, ranges and pieces: what a transfer moves, and what its report says of it.
namespace headrace {
namespace {

using namespace transfer_testing;
using testing::file_holding;
using testing::Mode;
using testing::offset_of;
using testing::open_file;
using testing::open_pipe;
using testing::random_bytes;
using testing::read_all;

TEST(Transfer, MovesAFileAndTellsHow) {
  const std::string content = random_bytes(100'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  Options options = only({"sendfile"});
  options.source_name = "from";
  options.destination_name = "to";
  const Report report = move(body_of_file(source), destination, options);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(report.bytes, 100'000U);
  EXPECT_EQ(report.expected, 100'000U);
  EXPECT_EQ(report.stranded, 0U);
  EXPECT_EQ(report.source.name, "from");
  EXPECT_EQ(report.destination.name, "to");
  ASSERT_EQ(methods_of(report), Names{"sendfile"});
  EXPECT_EQ(report.legs[0].bytes, 100'000U);
  EXPECT_EQ(report.legs[0].calls, 1U);
  EXPECT_EQ(report.legs[0].ending, Ending::finished);
  EXPECT_EQ(read_all(destination), content);
}

TEST(Transfer, ARefusedMethodLeavesALegAndTheNextGoesOnFromTheExactPlace) {
  const std::string content = random_bytes(400'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  Bytes at_refusal = 0;
  // sendfile refuses O_APPEND, which anybody who holds the open file may set at any time.
  const Body body =
      after_first_turn(in_portions(body_of_file(source), 400'000, 4), [&](Bytes moved) {
        at_refusal = moved;
        testing::must(::fcntl(destination.ref().number(), F_SETFL, O_RDWR | O_APPEND), "fcntl");
      });
  const Report report = move(body, destination, only({"sendfile", "read_write"}));
  EXPECT_EQ(report.outcome, Outcome::complete);
  ASSERT_EQ(methods_of(report), (Names{"sendfile", "read_write"}));
  EXPECT_EQ(report.legs[0].ending, Ending::refused);
  EXPECT_EQ(report.legs[0].bytes, at_refusal);
  EXPECT_EQ(number_of(report.legs[0].error), EINVAL);
  EXPECT_EQ(report.legs[1].bytes, 400'000 - at_refusal);
  EXPECT_GT(report.legs[1].bytes, 0U);
  EXPECT_EQ(report.refused.back().reason, refused_when_tried);
  EXPECT_EQ(report.refused.back().detail.substr(0, 10), "sendfile: ");
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(source), 400'000U);
}

TEST(Transfer, NamedMethodsThatAllRefuseMakeARefusal) {
  EXPECT_EQ(testing::run_in_child([] {
              testing::deny_call(SYS_sendfile, EINVAL);
              testing::deny_call(SYS_splice, EINVAL);
              const Descriptor source = file_holding("content");
              const Descriptor destination = file_holding("");
              const Report report =
                  move(body_of_file(source), destination, only({"sendfile", "splice_pipe"}));
              const bool told = report.outcome == Outcome::refused && report.bytes == 0 &&
                                methods_of(report) == Names{"sendfile", "splice_pipe"};
              return told && read_all(destination).empty() && offset_of(source) == 0 ? 0 : 1;
            }),
            0);
}

TEST(Transfer, WithEveryMethodAllowedTheLastRefusalIsAFailure) {
  EXPECT_EQ(testing::run_in_child([] {
              for (const int call : {SYS_ioctl, SYS_copy_file_range, SYS_sendfile, SYS_splice})
                testing::deny_call(call, EINVAL);
              const Descriptor source = file_holding("content");
              const Descriptor destination = file_holding("");
              testing::deny_call(SYS_pread64, EINVAL);
              const Report report = move(body_of_file(source), destination);
              const bool last = methods_of(report).back() == "read_write";
              return report.outcome == Outcome::failed && last && report.bytes == 0 ? 0 : 1;
            }),
            0);
}

TEST(Transfer, AZeroInTheMiddleIsNoEndWhereAReadFindsMore) {
  const int status = testing::run_denied({testing::faked(SYS_sendfile, 0).from(2)}, [] {
    const std::string content = random_bytes(200'000);
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding("");
    const Body body = in_portions(body_of_file(source), 200'000, 4);
    const Report report = move(body, destination, only({"sendfile", "read_write"}));
    const bool legs = methods_of(report) == Names{"sendfile", "read_write"} &&
                      report.legs[0].ending == Ending::refused && report.legs[0].bytes > 0 &&
                      report.refused.back().reason == false_end;
    return legs && report.outcome == Outcome::complete && read_all(destination) == content ? 0 : 1;
  });
  if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

TEST(Transfer, AZeroFromTheFirstCallIsTheEndWhereAReadSaysSo) {
  const Descriptor source = file_holding("");
  const Descriptor destination = file_holding("");
  const Report report = move(body_of_file(source), destination, only({"sendfile"}));
  EXPECT_EQ(report.outcome, Outcome::complete);
  ASSERT_EQ(report.legs.size(), 1U);
  EXPECT_EQ(report.legs[0].ending, Ending::finished);
  EXPECT_TRUE(has_note(report.legs[0].notes, "end confirmed by a read"));
}

TEST(Transfer, FilesWhoseSizeSaysNothingComeWhole) {
  const Descriptor source = open_file("/proc/version", O_RDONLY);
  const Descriptor destination = file_holding("");
  const Report report = move(body_of_file(source), destination);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_FALSE(report.expected);
  EXPECT_EQ(read_all(destination), read_all(source));
  EXPECT_EQ(report.bytes, read_all(source).size());
  EXPECT_GT(report.bytes, 0U);
}

TEST(Transfer, ThePositionFollowsWhereNoOffsetIsGiven) {
  const Descriptor source = file_holding("0123456789");
  const Descriptor destination = file_holding("");
  seek(source, 2);
  const Report report = move(body_of(source.ref(), {}, 5), destination);
  EXPECT_EQ(report.bytes, 5U);
  EXPECT_EQ(read_all(destination), "23456");
  EXPECT_EQ(offset_of(source), 7U);
  EXPECT_EQ(offset_of(destination), 5U);
}

TEST(Transfer, ThePositionStaysWhereAnOffsetIsGiven) {
  const Descriptor source = file_holding("0123456789");
  const Descriptor destination = file_holding("");
  seek(source, 2);
  EXPECT_EQ(move(body_of(source.ref(), 6), destination).bytes, 4U);
  EXPECT_EQ(read_all(destination), "6789");
  EXPECT_EQ(offset_of(source), 2U);
}

TEST(Transfer, WritesAtTheDestinationsPosition) {
  const Descriptor source = file_holding("new");
  for (const auto* method : {"sendfile", "splice_pipe", "read_write", "copy_file_range"}) {
    const Descriptor destination = file_holding("0123456789");
    seek(destination, 4);
    EXPECT_EQ(move(body_of(source.ref(), 0), destination, only({method})).bytes, 3U) << method;
    EXPECT_EQ(read_all(destination), "0123new789") << method;
    EXPECT_EQ(offset_of(destination), 7U) << method;
  }
}

TEST(Transfer, ARangeIsCutAtTheEndOfTheFile) {
  const Descriptor source = file_holding("0123456789");
  struct Range {
    Bytes offset;
    Bytes length;
    std::string bytes;
  };
  for (const auto& [offset, length, bytes] :
       {Range{3, 4, "3456"}, Range{8, 100, "89"}, Range{10, 1, ""}, Range{50, 1, ""},
        Range{0, 0, ""}, Range{0, everything, "0123456789"}}) {
    const Descriptor destination = file_holding("");
    const Report report = move(body_of(source.ref(), offset, length), destination);
    EXPECT_EQ(report.outcome, Outcome::complete) << offset << ":" << length;
    EXPECT_EQ(report.expected, bytes.size()) << offset << ":" << length;
    EXPECT_EQ(read_all(destination), bytes) << offset << ":" << length;
  }
}

TEST(Transfer, AStreamThatEndsBeforeTheLengthAskedForIsNoted) {
  auto pipe = open_pipe();
  testing::must(::write(pipe.writer.ref().number(), "four", 4), "write");
  pipe.writer = {};
  const Descriptor destination = file_holding("");
  const Report report = move(body_of(pipe.reader.ref(), {}, 10), destination);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_TRUE(has_note(report.notes, "ended after 4 of 10 bytes"));
  EXPECT_EQ(read_all(destination), "four");
}

TEST(Transfer, PiecesComeInOrder) {
  const Descriptor file = file_holding("0123456789");
  auto pipe = open_pipe();
  testing::must(::write(pipe.writer.ref().number(), "-pipe-", 6), "write");
  pipe.writer = {};
  const Body body{.pieces = {{Plain{file.ref()}, 7, {}},
                             {Plain{pipe.reader.ref()}, {}, {}},
                             {Plain{file.ref()}, 0, 3},
                             {Plain{file.ref()}, {}, 2}},
                  .limit = {},
                  .rate = {},
                  .observers = {}};
  const Descriptor destination = file_holding("");
  const Report report = move(body, destination);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_EQ(read_all(destination), "789-pipe-01201");
  EXPECT_EQ(report.bytes, 14U);
  EXPECT_EQ(report.legs.size(), 3U);
  EXPECT_EQ(offset_of(file), 2U);
  EXPECT_FALSE(report.expected) << "the pipe's length was not known";
}

TEST(Transfer, ThePiecesLengthsAddUpWhereAllAreKnown) {
  const Descriptor file = file_holding("0123456789");
  const Body body{.pieces = {{Plain{file.ref()}, 7, {}}, {Plain{file.ref()}, 0, 3}},
                  .limit = {},
                  .rate = {},
                  .observers = {}};
  const Descriptor destination = file_holding("");
  EXPECT_EQ(move(body, destination).expected, 6U);
}

TEST(Transfer, NoPiecesAreCompleteAtOnce) {
  const Descriptor destination = file_holding("");
  const Report report = move(Body{}, destination);
  EXPECT_EQ(report.outcome, Outcome::complete);
  EXPECT_TRUE(report.legs.empty());
}

TEST(Transfer, ABadDescriptorIsAnErrorWhereNothingWasStarted) {
  const Descriptor good = file_holding("x");
  EXPECT_FALSE(transfer(body_of(DescriptorRef{}), Plain{good.ref()}));
  EXPECT_FALSE(transfer(body_of(good.ref()), Plain{DescriptorRef{}}));
  EXPECT_EQ(offset_of(good), 0U);
}

TEST(Transfer, ABadDescriptorInTheMiddleIsAReportWithItsCounts) {
  const Descriptor good = file_holding("counted");
  const Descriptor destination = file_holding("");
  const Body body{.pieces = {{Plain{good.ref()}, {}, {}}, {Plain{DescriptorRef{}}, {}, {}}},
                  .limit = {},
                  .rate = {},
                  .observers = {}};
  const Report report = move(body, destination);
  EXPECT_EQ(report.outcome, Outcome::failed);
  EXPECT_EQ(number_of(report.error), EBADF);
  EXPECT_EQ(report.bytes, 7U);
  EXPECT_EQ(read_all(destination), "counted");
}

TEST(Transfer, FlagsOfTheDescriptorsStayAsTheyWere) {
  const std::string content = random_bytes(300'000);
  for (const Mode mode : {Mode::blocking, Mode::nonblocking}) {
    const Descriptor source = file_holding(content);
    auto pipe = open_pipe(mode);
    auto socket = testing::connected_tcp(mode);
    const std::array before{flags_of(source), flags_of(pipe.reader), flags_of(pipe.writer),
                            flags_of(socket.near)};
    testing::Drain drain(socket.far);
    {
      const std::jthread first([&] {
        EXPECT_EQ(move(body_of_file(source), pipe.writer).outcome, Outcome::complete);
        EXPECT_EQ(flags_of(pipe.writer), before[2]);
        pipe.writer = {};
      });
      EXPECT_EQ(move(body_of_file(pipe.reader), socket.near).outcome, Outcome::complete);
    }
    EXPECT_EQ(flags_of(source), before[0]);
    EXPECT_EQ(flags_of(pipe.reader), before[1]);
    EXPECT_EQ(flags_of(socket.near), before[3]);
    socket.near = {};
    EXPECT_EQ(drain.bytes(), content);
  }
}

}  // namespace
}  // namespace headrace
