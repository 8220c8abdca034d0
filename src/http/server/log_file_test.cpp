#include "http/server/log_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <map>
#include <sstream>
#include <vector>

#include "support/deny.hpp"
#include "support/ends.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"

namespace headrace::http::server {
namespace {

using std::chrono::milliseconds;
using testing::TemporaryFolder;

constexpr milliseconds long_enough{60'000};

std::unique_ptr<LogFile> opened(const std::filesystem::path& path,
                                LogFormat format = LogFormat::combined) {
  auto log = LogFile::open(path, format);
  if (!log) testing::give_up("LogFile::open", log.error().code.message());
  return std::move(*log);
}

std::unique_ptr<LogFile> lent(const Descriptor& descriptor) {
  auto log = LogFile::lent(descriptor.ref(), LogFormat::combined);
  if (!log) testing::give_up("LogFile::lent", log.error().code.message());
  return std::move(*log);
}

std::filesystem::path fifo_in(const TemporaryFolder& folder) {
  testing::must(::mkfifo((folder / "fifo").c_str(), 0600), "mkfifo");
  return folder / "fifo";
}

/// Fills the queue over and over: 4 MiB of lines, each of 100 bytes. Returns how many.
std::uint64_t write_too_much(LogFile& log) {
  constexpr std::uint64_t lines = 40'000;
  const std::string line = std::string(99, 'x') + "\n";
  for (std::uint64_t number = 0; number < lines; ++number) log.write(line);
  return lines;
}

/// How many lines a log tells of: those that are there, and those that "N lines lost" counts.
struct Told {
  std::uint64_t there = 0;
  std::uint64_t lost = 0;
  bool torn = false;
};
Told count(const std::string& text) {
  Told told{.torn = !text.empty() && text.back() != '\n'};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(" lost")) {
      told.lost += std::stoull(line);
    } else {
      ++told.there;
      told.torn = told.torn || line != std::string(99, 'x');
    }
  }
  return told;
}

TEST(LogFile, AppendsToWhatIsThere) {
  const TemporaryFolder folder;
  const auto path = folder.file("log", "before\n");
  opened(path)->write("after\n");
  EXPECT_EQ(testing::read_all(path), "before\nafter\n");
}

TEST(LogFile, HasWrittenAllOnceFlushed) {
  const TemporaryFolder folder;
  const auto log = opened(folder / "log");
  for (int number = 0; number < 3; ++number) {
    log->write("line\n");
    ASSERT_TRUE(log->flush(long_enough));
  }
  EXPECT_EQ(testing::read_all(folder / "log"), "line\nline\nline\n");
  EXPECT_FALSE(log->trouble());
}

TEST(LogFile, SaysWhatCannotBeOpened) {
  const TemporaryFolder folder;
  const auto log = LogFile::open(folder / "missing/log", LogFormat::combined);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code.value(), ENOENT);
}

TEST(LogFile, LinesOfManyThreadsStayWholeAndInTheirOrder) {
  constexpr int lines = 2000;
  const TemporaryFolder folder;
  {
    const auto log = opened(folder / "log");
    std::vector<std::jthread> threads;
    for (const char* name : {"a", "b", "c"}) {
      threads.emplace_back([&log, name] {
        for (int number = 0; number < lines; ++number) {
          log->write(name + (" " + std::to_string(number)) + "\n");
        }
      });
    }
  }
  std::istringstream text(testing::read_all(folder / "log"));
  std::map<std::string, int> next;
  std::string name;
  for (int number = 0; text >> name >> number;) EXPECT_EQ(number, next[name]++);
  EXPECT_EQ(next, (std::map<std::string, int>{{"a", lines}, {"b", lines}, {"c", lines}}));
}

TEST(LogFile, AFifoThatNobodyReadsHoldsNobodyUpAndIsLeftAtTheEnd) {
  const TemporaryFolder folder;
  const auto log = opened(fifo_in(folder));
  write_too_much(*log);  // returns
  EXPECT_FALSE(log->flush(milliseconds{1}));
}  // and the log ends

TEST(LogFile, TellsAtTheirPlaceHowManyLinesALateReaderMissed) {
  const TemporaryFolder folder;
  const auto path = fifo_in(folder);
  auto log = opened(path);
  const std::uint64_t written = write_too_much(*log);
  const Descriptor end = testing::open_file(path, O_RDONLY);
  testing::Drain reader(end);
  ASSERT_TRUE(log->flush(long_enough));
  log->write(std::string(99, 'x') + "\n");
  log.reset();
  const Told told = count(reader.bytes());
  EXPECT_EQ(told.there + told.lost, written + 1);
  EXPECT_GT(told.lost, 0U);
  EXPECT_FALSE(told.torn);
}

TEST(LogFile, ALentPipeThatNobodyReadsHoldsNobodyUpAndKeepsItsFlags) {
  const testing::Pipe pipe = testing::open_pipe();
  const int number = pipe.writer.ref().number();
  const int flags = ::fcntl(number, F_GETFL);
  {
    const auto log = lent(pipe.writer);
    write_too_much(*log);
  }
  EXPECT_EQ(::fcntl(number, F_GETFL), flags);
}

TEST(LogFile, ALentPipeGetsEveryLine) {
  testing::Pipe pipe = testing::open_pipe();
  testing::Drain reader(pipe.reader);
  {
    const auto log = lent(pipe.writer);
    for (int number = 0; number < 5000; ++number) log->write(std::string(99, 'x') + "\n");
  }
  pipe.writer = {};
  EXPECT_EQ(reader.bytes().size(), 500'000U);
}

TEST(LogFile, AReaderThatIsGoneCostsTheLinesAndNothingElse) {
  testing::Pipe pipe = testing::open_pipe();
  pipe.reader = {};
  const auto log = lent(pipe.writer);
  log->write("x\n");
  ASSERT_TRUE(log->flush(long_enough));
  ASSERT_TRUE(log->trouble());
  EXPECT_EQ(log->trouble()->code.value(), EPIPE);
}

TEST(LogFile, OpensItsPathAnewWhenAsked) {
  const TemporaryFolder folder;
  const auto path = folder / "log";
  const auto log = opened(path);
  log->write("old\n");
  ASSERT_TRUE(log->flush(long_enough));
  std::filesystem::rename(path, folder / "log.1");
  log->write("still old\n");
  ASSERT_TRUE(log->flush(long_enough));
  log->reopen();
  log->write("new\n");
  ASSERT_TRUE(log->flush(long_enough));
  EXPECT_EQ(testing::read_all(folder / "log.1"), "old\nstill old\n");
  EXPECT_EQ(testing::read_all(path), "new\n");
}

TEST(LogFile, GoesOnWithTheOldFileWhereTheNewOneCannotBeOpened) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "d");
  const auto log = opened(folder / "d/log");
  std::filesystem::rename(folder / "d", folder / "moved");
  log->reopen();
  log->write("line\n");
  ASSERT_TRUE(log->flush(long_enough));
  EXPECT_EQ(testing::read_all(folder / "moved/log"), "line\n");
  ASSERT_TRUE(log->trouble());
  EXPECT_EQ(log->trouble()->code.value(), ENOENT);
}

TEST(LogFile, ReopeningFreesALogThatIsStuckAndBeginsWithAWholeLine) {
  const TemporaryFolder folder;
  const auto path = fifo_in(folder);
  auto log = opened(path);
  const std::uint64_t written = write_too_much(*log);
  std::filesystem::rename(path, folder / "stuck");
  log->reopen();
  ASSERT_TRUE(log->flush(long_enough));
  log->write(std::string(99, 'x') + "\n");
  log.reset();
  const Told told = count(testing::read_all(path));
  EXPECT_FALSE(told.torn);
  EXPECT_GT(told.there, 0U);
  EXPECT_LE(told.there + told.lost, written + 1);
}

testing::Denial on_files(testing::Denial denial) {
  denial.on = testing::On::file;
  return denial;
}

TEST(LogFile, AFullDiskCostsLinesAndNoneIsJoinedToAPartOfAnother) {
  // The second write is cut to 10 bytes, the third fails; then there is room again.
  const int status = testing::run_denied(
      {on_files(testing::shortened(SYS_write, 10)).at(2),
       on_files(testing::denied(SYS_write, ENOSPC)).at(2)},  // of those that the first left to it
      [] {
        const TemporaryFolder folder;
        const std::string line = std::string(99, 'x') + "\n";
        {
          const auto log = opened(folder / "log");
          for (int times = 0; times < 3; ++times) {
            log->write(line);
            if (!log->flush(long_enough)) return 1;
          }
          if (!log->trouble() || log->trouble()->code.value() != ENOSPC) return 2;
        }
        const std::string torn(10, 'x');
        return testing::read_all(folder / "log") == line + torn + "\n1 line lost\n" + line ? 0 : 3;
      });
  if (status == testing::cannot_deny) GTEST_SKIP() << "no seccomp notification here";
  EXPECT_EQ(status, 0);
}

TEST(LogFile, TellsInJsonWhatJsonWasLost) {
  const TemporaryFolder folder;
  const auto path = fifo_in(folder);
  auto log = opened(path, LogFormat::json);
  write_too_much(*log);
  const Descriptor end = testing::open_file(path, O_RDONLY);
  testing::Drain reader(end);
  ASSERT_TRUE(log->flush(long_enough));
  log.reset();
  EXPECT_NE(reader.bytes().find("{\"lost\":"), std::string::npos);
}

}  // namespace
}  // namespace headrace::http::server
