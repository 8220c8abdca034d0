#include "support/deny.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "support/ends.hpp"
#include "support/limits.hpp"
#include "support/temporary.hpp"

namespace headrace::testing {
namespace {

// What a call returned: its errno negated where it failed.
long answered(long result) { return result < 0 ? -errno : result; }

TEST(RunInChild, GivesTheStatusOrTheSignal) {
  EXPECT_EQ(run_in_child([] { return 3; }), 3);
  EXPECT_EQ(run_in_child([]() -> int { return ::raise(SIGKILL); }), 128 + SIGKILL);
}

constexpr std::chrono::milliseconds soon{50};

int wait_for_ever() { return ::pause(); }

TEST(RunInChild, KillsAChildThatHangs) { EXPECT_EQ(run_in_child(wait_for_ever, soon), hung); }

TEST(DenyCall, DeniesThatCallAndNoOther) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  const int to = destination.ref().number();
  const int from = source.ref().number();
  EXPECT_EQ(run_in_child([&] {
              deny_call(SYS_sendfile, ENOSYS);
              const long denied_one = answered(::sendfile(to, from, nullptr, 1));
              return denied_one == -ENOSYS && ::write(to, "y", 1) == 1 ? 0 : 1;
            }),
            0);
  EXPECT_EQ(read_all(destination), "y");
}

TEST(DenyCall, CanBeNarrowedToOneArgument) {
  const Pipe pipe = open_pipe();
  const int writer = pipe.writer.ref().number();
  EXPECT_EQ(run_in_child([&] {
              deny_call(SYS_ioctl, EXDEV, Match{1, FICLONE});
              int queued = -1;
              const long cloned = answered(::ioctl(writer, FICLONE, pipe.reader.ref().number()));
              return cloned == -EXDEV && ::ioctl(writer, FIONREAD, &queued) == 0 ? 0 : 1;
            }),
            0);
}

// Runs `child` and skips the test where this kernel or sandbox has no seccomp notification.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): GTEST_SKIP has to return from the test
#define EXPECT_DENIED_RUN(expected, ...)                                       \
  do {                                                                         \
    const int status = run_denied(__VA_ARGS__);                                \
    if (status == cannot_deny) GTEST_SKIP() << "no seccomp notification here"; \
    EXPECT_EQ(status, expected);                                               \
  } while (false)

using Denials = std::vector<Denial>;

TEST(RunDenied, LeavesAChildWithoutDenialsAlone) {
  EXPECT_DENIED_RUN(7, (Denials{{.call = SYS_write, .answer = {}, .match = {}}}), [] { return 7; });
  EXPECT_DENIED_RUN(128 + SIGTERM, (Denials{denied(SYS_tee, EIO)}),
                    []() -> int { return ::raise(SIGTERM); });
}

TEST(RunDenied, KillsAChildThatHangsAndItsSupervisor) {
  const Pipe pipe = open_pipe();
  const Denials denials{shortened(SYS_read, 1)};
  EXPECT_DENIED_RUN(hung, denials, wait_for_ever, soon);
  // Here the supervisor itself is blocked, in the call that it makes for the child.
  const auto read_for_ever = [&] {
    char byte = 0;
    return static_cast<int>(::read(pipe.reader.ref().number(), &byte, 1));
  };
  EXPECT_DENIED_RUN(hung, denials, read_for_ever, soon);
}

TEST(RunDenied, AnswersTheCallOfTheNumberGiven) {
  const Descriptor source = file_holding("abcd");
  const Descriptor destination = file_holding("");
  EXPECT_DENIED_RUN(0, (Denials{denied(SYS_sendfile, EIO).at(3)}), [&] {
    std::array<long, 4> results{};
    for (long& result : results) {
      result = answered(::sendfile(destination.ref().number(), source.ref().number(), nullptr, 1));
    }
    return results == std::array<long, 4>{1, 1, -EIO, 1} ? 0 : 1;
  });
  EXPECT_EQ(read_all(destination), "abc");
  EXPECT_EQ(offset_of(source), 3U);
}

TEST(RunDenied, FakesAnyResultWithoutRunningTheCall) {
  constexpr long huge = 0x7fffffffffff;
  const Descriptor source = file_holding("abcd");
  const Descriptor destination = file_holding("");
  EXPECT_DENIED_RUN(0, Denials{faked(SYS_sendfile, 0).at(1), faked(SYS_sendfile, huge).at(1)}, [&] {
    std::array<long, 3> results{};
    for (long& result : results) {
      result = answered(::sendfile(destination.ref().number(), source.ref().number(), nullptr, 4));
    }
    return results == std::array<long, 3>{0, huge, 4} ? 0 : 1;
  });
  EXPECT_EQ(read_all(destination), "abcd");
}

TEST(RunDenied, CountsOnlyWhatMatches) {
  const Descriptor one = file_holding("");
  const Descriptor other = file_holding("");
  const int number = other.ref().number();
  const auto denial = denied(SYS_write, ENOSPC).where(0, static_cast<std::uint32_t>(number)).at(2);
  EXPECT_DENIED_RUN(0, (Denials{denial}), [&] {
    for (int i = 0; i < 3; ++i) {
      if (::write(one.ref().number(), "x", 1) != 1) return 1;
    }
    if (::write(number, "y", 1) != 1) return 2;
    return answered(::write(number, "y", 1)) == -ENOSPC ? 0 : 3;
  });
}

int status_of_writes(int first, int second) {
  if (::write(first, "x", 1) != 1) return 1;
  return answered(::write(second, "y", 1)) == -EIO ? 0 : 2;
}

TEST(RunDenied, LooksAtDescriptorsOfAKind) {
  const Pipe pipe = open_pipe();
  const Descriptor file = file_holding("");
  const int one = pipe.writer.ref().number();
  const int other = file.ref().number();
  EXPECT_DENIED_RUN(0, Denials{denied(SYS_write, EIO).only(On::file)},
                    [&] { return status_of_writes(one, other); });
  EXPECT_DENIED_RUN(0, Denials{denied(SYS_write, EIO).only(On::pipe)},
                    [&] { return status_of_writes(other, one); });
}

TEST(RunDenied, LooksAtDescriptorsOfAPath) {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  const Descriptor meant = open_file(folder.file("a", ""), O_WRONLY);
  const Descriptor other = open_file(elsewhere.file("a", ""), O_WRONLY);
  const auto writes = [&] { return status_of_writes(other.ref().number(), meant.ref().number()); };
  EXPECT_DENIED_RUN(0, Denials{denied(SYS_write, EIO).within(folder.path())}, writes);
  EXPECT_DENIED_RUN(0, Denials{denied(SYS_write, EIO).within(folder / "a")}, writes);
}

TEST(RunDenied, CountsWhatItSawAndAnswered) {
  const Descriptor file = file_holding("");
  const std::vector<Denial> denials{denied(SYS_write, EIO).at(2), faked(SYS_fsync, 0)};
  const auto run = run_denied_and_count(denials, [&] {
    for (int i = 0; i < 3; ++i) static_cast<void>(answered(::write(file.ref().number(), "x", 1)));
    return 5;
  });
  if (run.status == cannot_deny) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(run.status, 5);
  ASSERT_EQ(run.counts.size(), 2U);
  EXPECT_EQ(run.counts[0].seen, 3U);
  EXPECT_EQ(run.counts[0].answered, 1U);
  EXPECT_EQ(run.counts[1].seen, 0U);
}

TEST(RunDenied, SupervisesThreadsOfTheChild) {
  const Descriptor file = file_holding("");
  EXPECT_DENIED_RUN(0, (Denials{denied(SYS_fsync, EIO)}), [&] {
    long result = 0;
    std::jthread([&] { result = answered(::fsync(file.ref().number())); }).join();
    return result == -EIO ? 0 : 1;
  });
}

TEST(RunDenied, SupervisesAChildThatGaveUpItsRights) {
  const Descriptor file = file_holding("abc");
  EXPECT_DENIED_RUN(0, (Denials{shortened(SYS_read, 2)}), [&] {
    become_nobody();
    std::array<char, 8> buffer{};
    return ::read(file.ref().number(), buffer.data(), buffer.size()) == 2 ? 0 : 1;
  });
}

TEST(Shortened, SendfileMovesThatManyAndBothOffsetsFollow) {
  const Descriptor source = file_holding("0123456789");
  const Descriptor destination = file_holding("");
  EXPECT_DENIED_RUN(0, (Denials{shortened(SYS_sendfile, 3).at(1)}), [&] {
    off_t offset = 2;
    const int to = destination.ref().number();
    const int from = source.ref().number();
    if (::sendfile(to, from, &offset, 100) != 3 || offset != 5) return 1;
    return ::sendfile(to, from, &offset, 100) == 5 && offset == 10 ? 0 : 2;
  });
  EXPECT_EQ(read_all(destination), "23456789");
  EXPECT_EQ(offset_of(source), 0U);
}

TEST(Shortened, SpliceMovesThatMany) {
  const Descriptor source = file_holding("0123456789");
  const Pipe pipe = open_pipe();
  EXPECT_DENIED_RUN(0, (Denials{shortened(SYS_splice, 4)}), [&] {
    const auto moved = ::splice(source.ref().number(), nullptr, pipe.writer.ref().number(), nullptr,
                                100, SPLICE_F_NONBLOCK);
    return moved == 4 ? 0 : 1;
  });
  EXPECT_EQ(offset_of(source), 4U);
  std::array<char, 16> buffer{};
  EXPECT_EQ(::read(pipe.reader.ref().number(), buffer.data(), buffer.size()), 4);
}

TEST(Shortened, CopyFileRangeKeepsTheOffsetsOfTheCaller) {
  const Descriptor source = file_holding("0123456789");
  const Descriptor destination = file_holding("ab");
  EXPECT_DENIED_RUN(0, (Denials{shortened(SYS_copy_file_range, 5)}), [&] {
    off_t from = 1;
    off_t to = 2;
    const auto moved =
        ::copy_file_range(source.ref().number(), &from, destination.ref().number(), &to, 100, 0);
    return moved == 5 && from == 6 && to == 7 ? 0 : 1;
  });
  EXPECT_EQ(read_all(destination), "ab12345");
}

TEST(Shortened, ReadAndWriteUseTheMemoryOfTheCaller) {
  const Descriptor source = file_holding("0123456789");
  const Descriptor destination = file_holding("");
  EXPECT_DENIED_RUN(0, (Denials{shortened(SYS_read, 7), shortened(SYS_write, 2)}), [&] {
    std::string buffer(16, '.');
    if (::read(source.ref().number(), buffer.data(), buffer.size()) != 7) return 1;
    if (buffer != "0123456.........") return 2;
    return ::write(destination.ref().number(), buffer.data(), 7) == 2 ? 0 : 3;
  });
  EXPECT_EQ(read_all(destination), "01");
}

TEST(Shortened, VectorsAreFilledInOrder) {
  const Descriptor source = file_holding("0123456789");
  const Descriptor destination = file_holding("");
  const Denials denials{shortened(SYS_preadv2, 5), shortened(SYS_pwritev, 3)};
  EXPECT_DENIED_RUN(0, denials, [&] {
    std::string first(3, '.');
    std::string second(4, '.');
    const std::array<iovec, 2> pieces{
        {{first.data(), first.size()}, {second.data(), second.size()}}};
    if (::preadv2(source.ref().number(), pieces.data(), 2, 1, 0) != 5) return 1;
    if (first != "123" || second != "45..") return 2;
    return ::pwritev(destination.ref().number(), pieces.data(), 2, 0) == 3 ? 0 : 3;
  });
  EXPECT_EQ(read_all(destination), "123");
}

TEST(Shortened, TellsTheErrorOfTheRealCall) {
  EXPECT_DENIED_RUN(0, (Denials{shortened(SYS_read, 7)}), [] {
    std::array<char, 8> buffer{};
    const Pipe pipe = open_pipe(Mode::nonblocking);
    if (answered(::read(pipe.reader.ref().number(), buffer.data(), 8)) != -EAGAIN) return 1;
    return answered(::read(999, buffer.data(), 8)) == -EBADF ? 0 : 2;
  });
}

}  // namespace
}  // namespace headrace::testing
