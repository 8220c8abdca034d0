#include "methods/vmsplice/engine.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "methods/support/reasons.hpp"
#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/jobs.hpp"
#include "support/limits.hpp"
#include "support/temporary.hpp"

namespace headrace {
namespace {

using testing::denied;
using testing::file_holding;
using testing::job_between;
using testing::job_of;
using testing::Mode;
using testing::offset_of;
using testing::open_pipe;
using testing::Pipe;
using testing::random_bytes;
using testing::read_all;
using testing::run_denied;
using testing::shortened;

constexpr std::initializer_list<Mode> modes{Mode::blocking, Mode::nonblocking};
constexpr int roomy = 1 << 20;

void put(const Descriptor& destination, std::string_view bytes) {
  const auto written = ::write(destination.ref().number(), bytes.data(), bytes.size());
  ASSERT_EQ(written, static_cast<ssize_t>(bytes.size()));
}

Pipe pipe_holding(std::string_view bytes, Mode mode = Mode::blocking) {
  Pipe pipe = open_pipe(mode, roomy);
  put(pipe.writer, bytes);
  pipe.writer = Descriptor{};
  return pipe;
}

Bytes left_in(const Descriptor& pipe) {
  int bytes = 0;
  testing::must(::ioctl(pipe.ref().number(), FIONREAD, &bytes), "FIONREAD");
  return static_cast<Bytes>(bytes);
}

bool skipped(int status) { return status == testing::cannot_deny; }

TEST(VmspliceEngine, MovesEveryByteAndLeavesThePosition) {
  const std::string content = random_bytes(600'001);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  const Progress progress =
      VmspliceEngine(job_of(source, destination, 600'001)).advance(everything);
  EXPECT_EQ(progress.ending, Ending::finished);
  EXPECT_EQ(progress.moved, 600'001U);
  EXPECT_EQ(progress.calls % 3, 0U) << "read, vmsplice, splice";
  EXPECT_EQ(read_all(destination), content);
  EXPECT_EQ(offset_of(source), 0U);
  EXPECT_EQ(offset_of(destination), 600'001U);
}

TEST(VmspliceEngine, MovesStreamsToTheirEndAndConsumesThem) {
  const std::string content = random_bytes(50'000);
  for (const Mode mode : modes) {
    auto socket = testing::connected_unix(mode);
    put(socket.far, content);
    socket.far = Descriptor{};
    const Pipe pipe = pipe_holding(content, mode);
    for (const DescriptorRef source : {socket.near.ref(), pipe.reader.ref()}) {
      const Descriptor destination = file_holding("");
      const Progress progress =
          VmspliceEngine(job_between(source, destination.ref())).advance(everything);
      EXPECT_EQ(progress.ending, Ending::finished);
      EXPECT_EQ(progress.moved, content.size());
      EXPECT_EQ(progress.stranded, 0U);
      EXPECT_EQ(read_all(destination), content);
    }
  }
}

TEST(VmspliceEngine, BuffersOfEverySizeFitTheirPipe) {
  const std::string content = random_bytes(20'000);
  for (const Bytes wish : {0U, 1'000U, 4'096U, 5'000U, 8'192U, 10'000U}) {
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding("");
    Job job = job_of(source, destination, 20'000);
    job.buffer = wish;
    const Progress progress = VmspliceEngine(job).advance(everything);
    EXPECT_EQ(progress.ending, Ending::finished);
    const Bytes size = std::max(wish, Bytes{1});
    EXPECT_EQ(progress.calls, 3 * ((20'000 + size - 1) / size)) << wish;
    EXPECT_EQ(read_all(destination), content);
  }
}

TEST(VmspliceEngine, ThePipeThatIsGivenBoundsTheBufferAndANoteSaysSo) {
  const std::string content = random_bytes(20'000);
  const std::vector two_slots{denied(SYS_fcntl, EPERM).where(1, F_SETPIPE_SZ),
                              testing::faked(SYS_fcntl, 8192).where(1, F_GETPIPE_SZ)};
  const int status = run_denied(two_slots, [&] {
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding("");
    Job job = job_of(source, destination, 20'000);
    job.buffer = 65536;
    VmspliceEngine engine(job);
    const Progress progress = engine.advance(everything);
    const std::vector<std::string> said{
        "pipe of 8192 bytes, 65536 refused: Operation not permitted"};
    return progress.calls == 9 && engine.notes() == said && read_all(destination) == content ? 0
                                                                                             : 1;
  });
  if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

// A pipe refers to our pages: bytes that wait in it would change with the buffer.
TEST(VmspliceEngine, ReadsIntoNoBufferWhosePagesAreInThePipe) {
  const std::string content = random_bytes(100'000);
  for (const std::size_t most : {std::size_t{997}, std::size_t{4096}, std::size_t{7000}}) {
    const int status = run_denied({shortened(SYS_splice, most)}, [&] {
      const Descriptor source = file_holding(content);
      const Descriptor destination = file_holding("");
      Job job = job_of(source, destination, content.size());
      job.buffer = 16384;
      const Progress progress = VmspliceEngine(job).advance(everything);
      const bool all = progress.ending == Ending::finished && progress.moved == content.size();
      return all && read_all(destination) == content ? 0 : 1;
    });
    if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
    EXPECT_EQ(status, 0) << most;
  }
}

TEST(VmspliceEngine, GoesOnWhereAnAnswerOfTheMiddleStoppedIt) {
  const std::string content = random_bytes(100'000);
  for (const int call : {SYS_read, SYS_vmsplice, SYS_splice}) {
    for (const int number : {EAGAIN, EINTR}) {
      const int status = run_denied({denied(call, number).between(2, 4)}, [&] {
        const Pipe source = pipe_holding(content, Mode::nonblocking);
        const Descriptor destination = file_holding("");
        VmspliceEngine engine(job_between(source.reader, destination));
        for (int pauses = 0; pauses < 4; ++pauses) {
          const Progress progress = engine.advance(everything);
          const Bytes taken = content.size() - left_in(source.reader);
          if (progress.moved + progress.stranded != taken) return 1;
          if (progress.ending == Ending::paused) continue;
          const bool whole = progress.ending == Ending::finished && pauses == 3;
          return whole && read_all(destination) == content ? 0 : 2;
        }
        return 3;
      });
      if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
      EXPECT_EQ(status, 0) << "call " << call << ", errno " << number;
    }
  }
}

TEST(VmspliceEngine, ABudgetBoundsATurn) {
  const std::string content = random_bytes(10'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  VmspliceEngine engine(job_of(source, destination, 10'000));
  for (const Bytes moved : {4'000U, 8'000U}) {
    const Progress progress = engine.advance(4'000);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, moved);
  }
  EXPECT_EQ(engine.advance(4'000).ending, Ending::finished);
  EXPECT_EQ(read_all(destination), content);
}

TEST(VmspliceEngine, AStopEndsTheTurnAndDeliversWhatWasTaken) {
  const Pipe source = pipe_holding(random_bytes(100'000));
  const Descriptor destination = file_holding("");
  std::atomic<bool> stop = false;
  const Tap stopping = [&](std::span<const std::byte>) { stop = true; };
  Job job = job_between(source.reader, destination);
  job.buffer = 10'000;
  job.stop = &stop;
  job.tap = &stopping;
  VmspliceEngine engine(job);
  for (int turn = 0; turn < 2; ++turn) {
    const Progress progress = engine.advance(everything);
    EXPECT_EQ(progress.ending, Ending::paused);
    EXPECT_EQ(progress.wait, Wait::nothing);
    EXPECT_EQ(progress.moved, 10'000U);
    EXPECT_EQ(progress.stranded, 0U);
  }
}

TEST(VmspliceEngine, ShowsEveryByteOnceAndInOrder) {
  const std::string content = random_bytes(100'000);
  const Descriptor source = file_holding(content);
  const Descriptor destination = file_holding("");
  std::string seen;
  const Tap tap = [&](std::span<const std::byte> bytes) {
    seen.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  Job job = job_of(source, destination, content.size());
  job.buffer = 10'000;
  job.tap = &tap;
  EXPECT_EQ(VmspliceEngine(job).advance(everything).ending, Ending::finished);
  EXPECT_EQ(seen, content);
}

TEST(VmspliceEngine, WaitsForAnEmptySourceEvenABlockingOne) {
  for (const Mode mode : modes) {
    const auto socket = testing::connected_tcp(mode);
    const Pipe pipe = open_pipe(mode);
    const Descriptor destination = file_holding("");
    for (const Descriptor* source : {&socket.near, &pipe.reader}) {
      const Progress progress =
          VmspliceEngine(job_between(*source, destination)).advance(everything);
      EXPECT_EQ(progress.ending, Ending::paused);
      EXPECT_EQ(progress.wait, Wait::source_readable);
      EXPECT_EQ(progress.stranded, 0U);
    }
  }
}

TEST(VmspliceEngine, ASourceThatEndsEarlyIsFinishedWithWhatThereWas) {
  for (const std::string_view content : {"short", ""}) {
    const Descriptor source = file_holding(content);
    const Descriptor destination = file_holding("");
    const Progress progress = VmspliceEngine(job_of(source, destination, 50)).advance(everything);
    EXPECT_EQ(progress.ending, Ending::finished);
    EXPECT_EQ(progress.moved, content.size());
    EXPECT_EQ(read_all(destination), content);
  }
}

// What is in the buffer or in the pipe when the destination fails is told to the byte.
int strands_exactly(const Descriptor& destination, std::errc expected) {
  const std::string content = random_bytes(400'000);
  const Pipe source = pipe_holding(content);
  const Progress progress =
      VmspliceEngine(job_between(source.reader, destination)).advance(everything);
  if (progress.ending != Ending::failed || !progress.error) return 1;
  if (progress.error->call != "splice" || progress.error->code != expected) return 2;
  const std::string arrived = read_all(destination);
  if (arrived.size() != progress.moved || !content.starts_with(arrived)) return 3;
  const Bytes taken = content.size() - left_in(source.reader);
  return progress.stranded > 0 && progress.moved + progress.stranded == taken ? 0 : 4;
}

TEST(VmspliceEngine, AFullDiskStrandsWhatWasTakenAndCountsIt) {
  const testing::TemporaryFolder folder;
  const int status = testing::run_in_child([&] {
    const std::string place = folder.path();
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", place.c_str(), "tmpfs", 0, "size=100k") != 0) {
      return 77;
    }
    const Descriptor full = testing::open_file(folder.file("full", ""), O_RDWR);
    return strands_exactly(full, std::errc::no_space_on_device);
  });
  if (status == 77) GTEST_SKIP() << "no mount of our own here";
  EXPECT_EQ(status, 0);
}

TEST(VmspliceEngine, ALimitOfTheFilesSizeStrandsWhatWasTakenAndCountsIt) {
  const int status = testing::run_in_child([] {
    testing::limit_file_size(100'000);
    return strands_exactly(file_holding(""), std::errc::file_too_large);
  });
  EXPECT_EQ(status, 0);
}

TEST(VmspliceEngine, BytesOfAFileInThePipeAreNotStranded) {
  const int status = testing::run_in_child([] {
    const Descriptor source = file_holding(random_bytes(400'000));
    testing::limit_file_size(100'000);
    const Descriptor destination = file_holding("");
    const Progress progress =
        VmspliceEngine(job_of(source, destination, 400'000)).advance(everything);
    const bool told = progress.ending == Ending::failed && progress.stranded == 0;
    return told && read_all(destination).size() == progress.moved ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST(VmspliceEngine, AnAnswerThatCannotBeTrueIsAFailure) {
  for (const auto& [result, number] : {std::pair{0, EIO}, std::pair{1'000'000, EOVERFLOW}}) {
    for (const int call : {SYS_vmsplice, SYS_splice}) {
      const int status = run_denied({testing::faked(call, result)}, [number = number] {
        const Descriptor source = file_holding("x");
        const Descriptor destination = file_holding("");
        const Progress progress =
            VmspliceEngine(job_of(source, destination, 1)).advance(everything);
        const bool told = progress.error && progress.error->code.value() == number;
        return progress.ending == Ending::failed && told && progress.moved == 0 ? 0 : 1;
      });
      if (skipped(status)) GTEST_SKIP() << "no seccomp notification here";
      EXPECT_EQ(status, 0) << "call " << call << " answers " << result;
    }
  }
}

TEST(VmspliceEngine, NoPipeAndNoMemoryAreRefusalsThatKeepTheErrno) {
  const auto refused = [](const Reason& reason) {
    const Descriptor source = file_holding("x");
    const Descriptor destination = file_holding("");
    const Progress progress = VmspliceEngine(job_of(source, destination, 1)).advance(everything);
    const bool told = progress.reason == reason && progress.error && progress.calls == 0;
    return progress.ending == Ending::refused && told ? 0 : 1;
  };
  EXPECT_EQ(run_denied({denied(SYS_pipe2, EMFILE)}, [&] { return refused(no_pipe); }), 0);
  // 65536 bytes: whatever else is mapped meanwhile is of another size.
  EXPECT_EQ(
      run_denied({denied(SYS_mmap, ENOMEM).where(1, 65536)}, [&] { return refused(no_memory); }),
      0);
}

TEST(VmspliceEngine, CopiesEachByteTwice) {
  const Descriptor source = file_holding("x");
  const Descriptor destination = file_holding("");
  EXPECT_EQ(VmspliceEngine(job_of(source, destination, 1)).copies_per_byte(), 2U);
}

}  // namespace
}  // namespace headrace
